/* Ochibot, MIT. Built by make web from web/, sources 2e2fb9654b9b3c0d77b708d22a3e9e20d73753f12b9d2a6b381db502dd1c06b4 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
