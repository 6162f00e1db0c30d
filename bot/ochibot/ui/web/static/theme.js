/* Ochibot, MIT. Built by make web from web/, sources 484c0e0e3bd02bfb2e2a68684a7a6d721119a9f7d9afee9a073a3e919dca1d9b */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
