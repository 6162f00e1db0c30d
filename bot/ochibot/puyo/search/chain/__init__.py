"""The player that builds chains: a beam over the pairs that are seen, and beyond them over futures that are drawn.

``potential`` values what a field could set off, ``shape`` how it stands, ``beam`` grows a layer of fields by a pair,
``draw`` draws futures, ``player`` puts them together and decides. ``config`` is what a player file says.
"""
