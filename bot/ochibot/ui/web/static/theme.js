/* Ochibot, MIT. Built by make web from web/, sources 3f7c510a9fd169cd69f73b53f1d7265092794601eb2da14d16f5e51c11329170 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
