/* Ochibot, MIT. Built by make web from web/, sources c82fbfbf43f7e91794fc2ad45df8eea9f01c2bafc7615e9e47bad4e1aaffbf04 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
