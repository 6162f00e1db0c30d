/* Ochibot, MIT. Built by make web from web/, sources 3917add1f9a6a5190ea65d5f7aacac4e50f0f24a7ab30a94a1d1da59b8dbf78d */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
