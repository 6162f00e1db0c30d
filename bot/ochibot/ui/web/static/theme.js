/* Ochibot, MIT. Built by make web from web/, sources 70188b4744b146e2a74c477e4c0d05a3a460d820f431ee896376ab2adbb70dbe */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
