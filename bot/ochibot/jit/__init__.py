"""What all compiled kernels share: vectors of words (``lanes``) and where machine code is kept (``library``)."""
