"""Tests of game files."""
