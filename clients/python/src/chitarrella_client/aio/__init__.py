"""The asyncio face of the client."""
