"""Computes the ignition values of grids of Pochi & Nyaa, and finds the best places to ignite and to build."""
