"""``python -m ochibot`` is the command ``ochibot``."""

from ochibot.cli.main import main

if __name__ == "__main__":
    main()
