"""The tests run with the plugin of the test kit."""

pytest_plugins = ["chitarrella_testing.pytest_plugin"]
