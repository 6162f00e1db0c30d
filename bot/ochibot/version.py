"""The version of Ochibot. Nothing else states it."""

__version__ = "0.2.0"
