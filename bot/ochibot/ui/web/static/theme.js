/* Ochibot, MIT. Built by make web from web/, sources 0fa9e0270772c8b24f412d3d5612d978b637eae92af861bca93fb3f7e3083a31 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
