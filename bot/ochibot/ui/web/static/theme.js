/* Ochibot, MIT. Built by make web from web/, sources c62b864838ae0be66a2bb59c7b8dca0dd180e58a9641f271bc595c5dd66b14b8 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
