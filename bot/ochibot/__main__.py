"""``python -m ochibot`` is the command ``ochibot``."""

from ochibot.cli.main import script

if __name__ == "__main__":
    script()
