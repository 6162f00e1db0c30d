/* Ochibot, MIT. Built by make web from web/, sources 1053544ca310ca22354e6e97a4abf3ee0cf7a6204771866ba9ff623da4315717 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
