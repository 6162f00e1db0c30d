"""Runs long experiments in shards, on several processes or a cluster, and keeps their results in a folder."""
