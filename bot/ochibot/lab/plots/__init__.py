"""Pictures of what the lab's commands leave in their folders."""
