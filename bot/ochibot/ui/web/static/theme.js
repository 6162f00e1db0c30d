/* Ochibot, MIT. Built by make web from web/, sources 9109027e0b1e6611759879d0e71f9a6b2906326780a6b18abbcbe568289ea9a5 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
