/* Ochibot, MIT. Built by make web from web/, sources 11504fde99a48f111a998666ca771fa2c73a92b860d153f248aad9f5d4cc6a92 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
