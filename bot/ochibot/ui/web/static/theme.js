/* Ochibot, MIT. Built by make web from web/, sources e037771275bc8e1cae327c3fe0609f580c3ad40c43aea1b69d42fcf886e97919 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
