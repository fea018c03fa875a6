"""What is kept on Redis or Valkey, which may be a server inside the process, and the archive."""
