"""Draws the results that the lab's commands leave in their folders."""
