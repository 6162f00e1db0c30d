/* Ochibot, MIT. Built by make web from web/, sources 6e012ea29e53445e00dee0db489450700aa97cb8c40f3516408f42ef744184ba */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
