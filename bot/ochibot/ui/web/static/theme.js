/* Ochibot, MIT. Built by make web from web/, sources 5869b0876a0df67ecfdcd4fe1dbe15db0e5889745759fcea39c3c61dab6a99de */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
