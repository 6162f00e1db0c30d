/* Ochibot, MIT. Built by make web from web/, sources deccb6764290dc0ab5f81d749dbe7a4544906c17e8a6623482b35321af62e62d */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
