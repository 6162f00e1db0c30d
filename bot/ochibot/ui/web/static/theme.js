/* Ochibot, MIT. Built by make web from web/, sources 631c578efada9f88d095e24c863ac5318e37fb9a386d4ab3d4835521eaf3297f */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
