/* Ochibot, MIT. Built by make web from web/, sources 2b8e8cd2b70e39ea62c3d87c3ece8399a4784890ed29c34cb99aaf109bfecc18 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
