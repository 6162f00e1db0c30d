"""The player that builds chains: a beam search along the visible pairs, then along random futures.

``potential`` values the chain that a field could set off. ``shape`` values how the puyos are stacked. ``beam`` grows
one layer of fields by one pair. ``draw`` draws random futures. ``player`` puts them together and decides. ``config``
reads player files.
"""
