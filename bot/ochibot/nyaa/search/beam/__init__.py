"""The player of Pochi & Nyaa that searches a beam along all visible pairs, and then every pair that can come next.

``kernels`` makes the layers of the beam and evaluates boards by the pairs that can come next. ``player`` decides.
``config`` reads player files.
"""
