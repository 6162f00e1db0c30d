"""Compiled kernels and where they are kept."""
