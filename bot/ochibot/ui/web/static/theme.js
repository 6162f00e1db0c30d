/* Ochibot, MIT. Built by make web from web/, sources 073a5c3854cea5efe1d91dbe92d7820ef1828d755f36c1056b3cce389d8b2744 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
