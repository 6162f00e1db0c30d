"""The measurements of the commands ``ochibot bench …``."""
