"""The command line ``ochibot``: one module per command. They only parse words and print results."""
