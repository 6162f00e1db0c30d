"""Values grids of Pochi & Nyaa tail by tail, and finds the best places to ignite and to build."""
