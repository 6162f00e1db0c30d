"""Tests of the lab that fits the chance of winning."""
