"""A player of Pochi & Nyaa with a beam search: it searches along all visible pairs, and then tries every possible pair.

``kernels`` makes the layers of the beam and tries the possible pairs. ``player`` calls both and decides. ``config``
reads player files.
"""
