/* Ochibot, MIT. Built by make web from web/, sources bc75bcd4affe70f847445ff018398ab804ba14c7921a412dfab4a723bcad9fb3 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
