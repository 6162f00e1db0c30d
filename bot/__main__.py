"""``python -m bot`` is the command ``ochibot``."""

from bot.cli.main import main

if __name__ == "__main__":
    main()
