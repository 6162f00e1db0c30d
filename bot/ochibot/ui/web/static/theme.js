/* Ochibot, MIT. Built by make web from web/, sources b03fa1538e3ba33de8587ac084cbaa58ec24358275da24f1b5402257afd353d4 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
