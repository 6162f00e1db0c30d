"""The frame loop: observe, choose, press; and the check that everything happens as predicted."""
