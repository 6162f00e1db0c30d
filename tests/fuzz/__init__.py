"""``make fuzz``: thousands of damaged files and odd words given to the commands; each must be taken, or refused in one
line. ``python -m tests.fuzz --help`` says how.
"""
