/* Ochibot, MIT. Built by make web from web/, sources 6dd06094ac7b41c549d0db32fce414a0e3d42b4d7364c5d8019d4a510c183d8d */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
