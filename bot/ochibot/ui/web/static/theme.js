/* Ochibot, MIT. Built by make web from web/, sources 029ffaf64a66b532bcafd7f493067206f10bb20777d38ff50140e5a42dc7df53 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
