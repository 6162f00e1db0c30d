"""Tests of compiled kernels and of the folder in which they are kept."""
