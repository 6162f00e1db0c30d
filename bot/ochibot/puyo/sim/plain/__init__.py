"""Self-play without the processor's own tricks (imports numba): what ``ochibot.puyo.sim.cuda`` runs on a GPU.

The kernels of ``ochibot.puyo.search`` are made of vectors and instructions that a GPU doesn't have. These functions
decide and count the same with shifts and masks alone, so they run wherever numba compiles to. Each module makes its
functions for one target; ``game.program`` puts them together. A board is twelve uint64 here: for each colour the words
*west* and *east* of its plane (see ``ochibot.puyo.rules.field``). In self-play there is no nuisance, and no item.
"""
