"""The fixtures of `tests.stores` that these tests use."""

from tests.stores import open_store, pytest_generate_tests, raw_client, server, start_service, store, url

__all__ = ["open_store", "pytest_generate_tests", "raw_client", "server", "start_service", "store", "url"]
