/* Ochibot, MIT. Built by make web from web/, sources 4dd36f2bb0e809366a8f04ab91a533439b911e4714da33516678cd25ec653f82 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
