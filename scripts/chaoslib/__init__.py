"""What `scripts/chaos` and `scripts/time-under-load` share: processes, positions and the scenarios."""
