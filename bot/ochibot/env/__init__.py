"""Environments for learning: Gymnasium for one seat, PettingZoo for matches. They need the extra ``ochibot[env]``.

::

    import gymnasium

    env = gymnasium.make("ochibot/Endless-v0")
    seen, info = env.reset(seed=1)
    seen, points, over, _, info = env.step(info["action_mask"].argmax())
"""

from __future__ import annotations


def register() -> None:
    """Makes the environments known to Gymnasium, which calls this by an entry point of the package."""
    from gymnasium.envs.registration import register as known

    known("Endless-v0", "ochibot.env.solo:endless")
    known("Tsu-v0", "ochibot.env.solo:tsu")
    known("Nyaa-v0", "ochibot.env.solo:nyaa")
    known("EndlessConsole-v0", "ochibot.env.console:endless")
