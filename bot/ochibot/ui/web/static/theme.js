/* Ochibot, MIT. Built by make web from web/, sources 2be54d2fcf6867c85b54ee64d666be61139e10807ed2877ff4705488108a0bb1 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
