/* Ochibot, MIT. Built by make web from web/, sources f2c08494843559dc8581c7b527c41e02d750c896b0696c82a1c837c2fdac31eb */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
