/* Ochibot, MIT. Built by make web from web/, sources a1109b60e556eaedbb46848342dca97517339c05165ad951b9c342b3fbcfa795 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
