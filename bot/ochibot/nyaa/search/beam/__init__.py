"""The player of Pochi & Nyaa that searches a beam along all visible pairs, and then every pair that can come next.

``kernels`` makes a layer and evaluates boards over the pairs that can come. ``player`` decides. ``config`` reads player
files.
"""
