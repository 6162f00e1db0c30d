/* Ochibot, MIT. Built by make web from web/, sources c33ac97fc2d5e11dcb5d01371136abe216f21ec8bfd0e5a75192d35cf5331509 */
(()=>{var e=null;try{e=localStorage.getItem("theme")}catch{}(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e);})();
