"""Tests of Puyo Puyo. They load the shipped rule profiles from their files, as the program does."""

from __future__ import annotations

from ochibot.puyo import load_rules

FAMICOM = load_rules("famicom")
TSU = load_rules("tsu")
SPAWN = FAMICOM.spawn
