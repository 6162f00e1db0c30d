/* Ochibot, MIT. Built by make web from web/, sources b56c318fb08f4870fb74635572018b510fbc36e2e3afccd637f9c0c7b79a973a */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
