/* Ochibot, MIT. Built by make web from web/, sources 03fe450322306543328722f4b2a96d0b4de4c624b889c64c9a7525c8f4496639 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
