/* Ochibot, MIT. Built by make web from web/, sources b46675083dd1f78c1d1b626d96cdca7ea3f41c49f5c9407ae18853226d0218dd */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
