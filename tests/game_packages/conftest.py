"""A service with the games of ``examples/``, built and installed as their users install them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chitarrella.catalogue.registry import Catalogue, open_catalogue
from tests.example_packages import GAMES, install_examples
from tests.server.process import Service
from tests.stores import start_service, url
from tests.transports.all_transports import TRANSPORTS, Transport, caller_of

__all__ = ["start_service", "url"]


@pytest.fixture(scope="session")
def site() -> Path:
    return install_examples()


@pytest.fixture(scope="session")
def catalogue(site: Path) -> Catalogue:
    """The catalogue with the installed packages; other tests of this process do not find them."""
    sys.path.insert(0, str(site))
    try:
        return open_catalogue(",".join(GAMES.values()))
    finally:
        sys.path.remove(str(site))


@pytest.fixture(scope="session")
def service(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    running = Service(folder, "--sandbox", "--fsync", "everysec", packages=site, forked=True)
    yield running
    running.clear_away()


@pytest.fixture(scope="session", params=TRANSPORTS)
def over(request: pytest.FixtureRequest, service: Service) -> Iterator[Transport]:
    caller = caller_of(request.param, service)
    yield caller
    caller.close()
