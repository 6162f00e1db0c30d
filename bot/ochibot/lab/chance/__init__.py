"""Fits the chance of winning on simulated matches, and measures it."""
