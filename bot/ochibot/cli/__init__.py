"""The command ``ochibot``: one module per command, parsing and printing only."""
