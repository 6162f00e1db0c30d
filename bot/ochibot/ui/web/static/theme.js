/* Ochibot, MIT. Built by make web from web/, sources 2c11b62440581e933638f4b0daf0a39a2c92b235d572393b8e697b27c25c2519 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
