/* Ochibot, MIT. Built by make web from web/, sources aaaca453ae09fbd87fac41981e43adb7949e89584df91701940fddfd7449377e */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
