"""Self-play in portable code (imports numba), which ``ochibot.puyo.sim.cuda`` runs on a GPU.

The kernels of ``ochibot.puyo.search`` use vectors and instructions that a GPU doesn't have. The functions here make the
same decisions with shifts and masks only, so they run on every target of numba. Each module makes its functions for one
target; ``game.program`` puts them together. A board is twelve uint64 here: for each colour, the words *west* and *east*
of its plane (see ``ochibot.puyo.rules.field``). Self-play has no nuisance and no items.
"""
