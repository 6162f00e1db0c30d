/* Ochibot, MIT. Built by make web from web/, sources 4130cdfe36de85209334ebb2753826d181405d7212b8cad6fcc83440b9d05335 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
