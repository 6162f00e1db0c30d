"""The frame loop: observe, choose, press; and the proof that what happens is what was predicted."""
