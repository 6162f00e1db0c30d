"""Players of Pochi & Nyaa against each other in simulated matches."""
