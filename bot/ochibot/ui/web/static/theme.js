/* Ochibot, MIT. Built by make web from web/, sources 4f9be1afd71313b058240459ae083654f74a9ce291611ea496f531a49c2f7a6d */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
