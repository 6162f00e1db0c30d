"""The version of Ochibot, which is written nowhere else."""

__version__ = "0.3.0"
