/* Ochibot, MIT. Built by make web from web/, sources 61f763a26c6b71d065b4d85baa7909b35c169fe40fc098e1dbc534f7823d02b8 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
