"""The player of Pochi & Nyaa that looks along all pairs seen, as a beam, and then at every pair that may come.

``kernels`` grows a layer and looks at what comes, ``player`` puts them together and decides, ``config`` is what a
player file says.
"""
