"""What holds for all tests: none depends on the clock."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Hypothesis would fail an example that takes 200 ms, and a test that draws slowly: on a busy machine any may
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
