"""Tests of Puyo Puyo. They take the shipped profiles from their files, as everybody does."""

from __future__ import annotations

from ochibot.puyo import load_rules

FAMICOM = load_rules("famicom")
TSU = load_rules("tsu")
SPAWN = FAMICOM.spawn
