"""Environments for learning: Gymnasium for one seat, PettingZoo for matches. They need the extra ``ochibot[env]``.

Importing this package makes them known to Gymnasium::

    import gymnasium
    import ochibot.env

    env = gymnasium.make("ochibot/Endless-v0")
    seen, info = env.reset(seed=1)
    seen, points, over, _, info = env.step(info["action_mask"].argmax())
"""

from __future__ import annotations

from gymnasium.envs.registration import register

for _name, _made, _many in (
    ("Endless-v0", "solo:endless", "vector:PuyoVectorEnv"),
    ("Tsu-v0", "solo:tsu", "vector:tsu"),
    ("Nyaa-v0", "solo:nyaa", None),
    ("Versus-v0", "versus:versus", None),
    ("EndlessConsole-v0", "console:endless", None),
    ("PadConsole-v0", "console:pad", None),
):
    register(f"ochibot/{_name}", f"ochibot.env.{_made}", vector_entry_point=_many and f"ochibot.env.{_many}")
