/* Ochibot, MIT. Built by make web from web/, sources 7bbed8b06a2c354daf9af76b2e3e7f12eae930ab0167f2f12b1e2bb02df33cd4 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
