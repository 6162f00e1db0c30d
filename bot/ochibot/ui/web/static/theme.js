/* Ochibot, MIT. Built by make web from web/, sources 23e2df2b90b7a6c411354e6dc27602791fa90e6f101ed16bd13b8046a1662e51 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
