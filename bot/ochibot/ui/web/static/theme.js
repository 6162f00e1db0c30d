/* Ochibot, MIT. Built by make web from web/, sources 52b67fcee88377f75888ae17ce35a0090ba604ba31212290d0d93572db11d8a7 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
