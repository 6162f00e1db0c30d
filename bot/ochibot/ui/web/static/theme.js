/* Ochibot, MIT. Built by make web from web/, sources 46df8f17a177ea5daf8362d9e374b96eb3f9b454dedcdedddc7a0b740fa48488 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
