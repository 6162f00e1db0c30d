/* Ochibot, MIT. Built by make web from web/, sources 9aed0aca2e02e6f834f935088c5975cf14d7c97419fcd4b785938cd9a966210b */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
