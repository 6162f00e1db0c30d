"""``make fuzz`` gives thousands of damaged files and odd arguments to the commands. Each must be accepted, or refused
in one line. ``python -m tests.fuzz --help`` shows the options.
"""
