/* Ochibot, MIT. Built by make web from web/, sources 7b4b9e436dea1f95eb1953b41ba9146f325c93f0589115a4f4edadd15ae79a95 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
