"""Players of Pochi & Nyaa against each other in simulated matches, and the tuner of their weights."""
