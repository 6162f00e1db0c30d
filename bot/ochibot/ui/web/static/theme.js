/* Ochibot, MIT. Built by make web from web/, sources 0e2e4d129264b4fbc6ed479f6c472ea48ac737f4ada4240cdde0f1ef77ddff40 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
