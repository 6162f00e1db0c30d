"""What all games with falling pairs share, whatever their rules: orientations, generators, ties, the interface of
players.
"""
