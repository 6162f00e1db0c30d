"""What a grid of Pochi & Nyaa is worth, tail by tail, and where to ignite and to build."""
