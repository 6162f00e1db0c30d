/* Ochibot, MIT. Built by make web from web/, sources 2c66374505731ebc4517be2cad05b14a15cf8584bd8c85878d708c2a8984194a */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
