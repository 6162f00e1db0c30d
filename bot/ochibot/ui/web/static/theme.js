/* Ochibot, MIT. Built by make web from web/, sources 5c59f2c95ca02d21f4e1512fec427817f16feb148dc4e10f1eaabf597f7f5240 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
