"""The player of matches: it builds chains, and says by what both sides can do when to set one off."""
