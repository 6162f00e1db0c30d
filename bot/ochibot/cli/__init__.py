"""The command line ``ochibot``: one module per command. The modules only parse arguments and print results."""
