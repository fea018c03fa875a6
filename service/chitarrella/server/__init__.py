"""Settings, and the composition root of a worker process."""
