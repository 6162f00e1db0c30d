/* Ochibot, MIT. Built by make web from web/, sources 9af3f05c5349064e641048470e77fa01b0da7fe42fea38fc6f8e09fbc86aa49e */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
