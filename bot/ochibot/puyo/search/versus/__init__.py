"""The player for matches: it builds chains, and compares what both sides can do to decide when to set one off."""
