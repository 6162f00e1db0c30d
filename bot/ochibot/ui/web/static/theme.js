/* Ochibot, MIT. Built by make web from web/, sources a6ff5b349318c0547d9dbc03673077e60797adbeb7ebff4aa1b3233cf58f7ac8 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
