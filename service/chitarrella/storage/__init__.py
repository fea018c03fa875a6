"""Adapters of the store ports: Redis or Valkey, and the memory of one process."""
