"""The tests run with the plugin of the test kit."""

pytest_plugins = ["chitarrella.testing.pytest_plugin"]
