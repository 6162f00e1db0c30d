/* Ochibot, MIT. Built by make web from web/, sources 4475aba17701dffa66924cc7930f12c7e414a354abbde6b9bb4d0865240a0e70 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
