/* Ochibot, MIT. Built by make web from web/, sources ba920705c53f96dee0907aa851f4d3c74174483cdd87dbb978e352ce5387c40a */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
