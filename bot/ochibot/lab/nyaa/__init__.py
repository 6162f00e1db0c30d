"""Simulated matches between players of Pochi & Nyaa."""
