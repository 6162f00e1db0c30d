/* Ochibot, MIT. Built by make web from web/, sources 99ce9d3e514b513d6f210def1e4e681f21618358be8d29da28cc90d2471873c5 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
