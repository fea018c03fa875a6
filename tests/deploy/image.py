"""`make image-check`: build the image, run it as Kubernetes would, ask it, stop it. Needs root, and no image registry.

The base of Debian packages stands in for that of the Dockerfile. `--suite trixie` takes Debian 13 and its Python 3.13.
`--save FILE` builds the image and writes it as `docker load` reads it; `--load FILE` checks the image of such a file.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from collections.abc import Callable
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from chitarrella_client import Chitarrella
from tests.deploy.buildah import Buildah, Unavailable, make_base, require_tools
from tests.deploy.container import Container

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "image"  # the base, kept for later runs, and the list of packages of the image
HOME = Path("opt/chitarrella")
SBOM = HOME / "sbom.cdx.json"
MAX_MEGABYTES = 150  # how much larger the image may be than its base
UNWANTED = {"babel", "build", "cyclonedx-bom", "ensurepip", "hatchling", "pip", "setuptools", "uv", "wheel"}
"""Python packages that only a build needs."""
COMPILERS = ("gcc", "cc", "make", "pip", "pip3")
BASE, IMAGE = "localhost/chitarrella-base", "localhost/chitarrella"
"""The names of the base and the image in the store of buildah."""
REVISION = "org.opencontainers.image.revision"  # the label with the commit
LABELS = ("title", "description", "source", "documentation", "licenses", "version", "revision", "base.name")
FREE_PORTS = {f"CHITARRELLA_{name}_ADDRESS": "127.0.0.1:0" for name in ("GRPC", "REST", "ADMIN")}


def main() -> int:
    """Run the checks; exit status 1 with the reason if this machine cannot, an exception for a fault of the image."""
    parser = argparse.ArgumentParser(prog="image-check", description=__doc__)
    parser.add_argument("--suite", default="bookworm", help="release of Debian that the base is made of")
    parser.add_argument("--save", type=Path, metavar="FILE", help="only build the image, and write it to a file")
    parser.add_argument("--load", type=Path, metavar="FILE", help="only check the image in a file")
    asked = parser.parse_args()
    try:
        require_tools()
    except Unavailable as error:
        print(f"The image is not checked: {error}.", file=sys.stderr)
        return 1
    BUILD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="image-", dir=BUILD) as folder:
        buildah = Buildah(Path(folder) / "store")
        try:
            if asked.load:
                image = buildah.load(asked.load)
                check(buildah, image, Path(folder), commit(buildah.config(image)["Labels"][REVISION]))
            else:
                build(buildah, asked.suite)
                if asked.save:
                    timed("save", lambda: buildah.save(IMAGE, asked.save, f"chitarrella:{version()}"))
                else:
                    check_size(buildah)
                    check(buildah, IMAGE, Path(folder), commit())
        finally:
            buildah.close()
    return 0


def timed(step: str, action: Callable[[], None]) -> None:
    begun = time.monotonic()
    action()
    print(f"image-check: {step} ({time.monotonic() - begun:.0f} s)", flush=True)


def version() -> str:
    """The version of the package, which the image has too."""
    found: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return found


def commit(name: str = "HEAD") -> str:
    """The commit of a name, by default that which an image is built from. Raises `CalledProcessError` without one."""
    git = ["git", "-c", f"safe.directory={ROOT}", "rev-parse", "--verify", f"{name}^{{commit}}"]
    return subprocess.run(git, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def build(buildah: Buildah, suite: str) -> None:
    """Build the image on a base of a release of Debian, which is made once."""
    base_tar = BUILD / f"base-{suite}.tar"
    if not base_tar.exists():
        timed("base", lambda: make_base(suite, base_tar))
    timed("import", lambda: buildah.import_tar(base_tar, BASE))
    timed("build", lambda: buildah.build(ROOT, IMAGE, BASE=BASE, REVISION=commit(), VERSION=version()))


def check_size(buildah: Buildah) -> None:
    """Check how much larger the image is than its base."""
    size = (disk_usage(buildah.mount(IMAGE)) - disk_usage(buildah.mount(BASE))) / 1_000_000
    print(f"image-check: {size:.0f} MB beside the base", flush=True)
    assert size < MAX_MEGABYTES, f"{size:.0f} MB, of {MAX_MEGABYTES}"


def check(buildah: Buildah, image: str, folder: Path, revision: str) -> None:
    """Check an image that was built from a commit, and keep its list of packages."""
    config, root = buildah.config(image), buildah.mount(image)
    check_config(config, revision, BASE)
    (BUILD / SBOM.name).write_bytes((root / SBOM).read_bytes())
    check_content(root)
    timed("run", lambda: check_service(root, config, folder))


def check_config(config: dict[str, Any], revision: str, base: str) -> None:
    labels = {name: config["Labels"].get(f"org.opencontainers.image.{name}", "") for name in LABELS}
    assert all(labels.values()), labels
    assert (version(), revision) == (labels["version"], labels["revision"])
    assert labels["base.name"].startswith(base)
    assert "Apache-2.0 AND CC0-1.0" == labels["licenses"]
    assert config["User"].isdecimal(), "a cluster that demands a non-root user needs its number"
    assert "0" != config["User"]
    assert ["CMD", "chitarrella", "health"] == config["Healthcheck"]["Test"]


def check_content(root: Path) -> None:
    """Check that the packages are those of the SBOM, and that nothing is left that only a build needs."""
    (site,) = (root / HOME / "lib").glob("python3.*/site-packages")
    installed = {normal(one.metadata["Name"]): one.version for one in distributions(path=[str(site)])}
    listed = packages_of(json.loads((root / SBOM).read_text()))
    assert installed == listed, f"{SBOM} differs from what is installed: {installed.items() ^ listed.items()}"
    assert set() == unwanted(root)


def normal(name: str) -> str:
    """The name of a distribution as packaging normalizes it."""
    return name.lower().replace("_", "-").replace(".", "-")


def packages_of(sbom: dict[str, Any]) -> dict[str, str]:
    """The packages that a CycloneDX document lists, by name, with the program itself."""
    components = [sbom["metadata"]["component"], *sbom["components"]]
    return {normal(one["name"]): one["version"] for one in components}


def unwanted(root: Path) -> set[str]:
    """The tools of a build that an image has."""
    packages = {path.name for path in root.glob("**/python3*/**/*") if path.is_dir() and path.name in UNWANTED}
    packages |= {path.name for path in root.glob("usr/share/python-wheels/*")}
    folders = ("bin", "usr/bin", "usr/local/bin", HOME / "bin")
    return packages | {name for name in COMPILERS for folder in folders if os.path.lexists(root / folder / name)}


def disk_usage(root: Path) -> int:
    """The bytes of all files of a folder, hard links once."""
    sizes = {}
    for folder, _, files in os.walk(root):
        for file in files:
            status = os.lstat(Path(folder) / file)
            sizes[status.st_dev, status.st_ino] = status.st_size
    return sum(sizes.values())


def check_service(root: Path, config: dict[str, Any], folder: Path) -> None:
    """Start the image, play in it, stop it, and find the match again in a second container."""
    data = folder / "data"
    data.mkdir()
    os.chown(data, int(config["User"]), int(config["User"]))
    folder.chmod(0o755)
    with Container(root, config, data, **FREE_PORTS) as service:
        match, key, revision = play(root, config, folder, service)
        assert 0 == service.stop(), service.output()[-2000:]
    with Container(root, config, data, **FREE_PORTS) as service:
        _, rest = service.ports()
        kept = ask(rest, f"/v1/matches/{match}", key=key)
        assert revision == kept["revision"], "the match was not kept"
        assert 0 == service.stop(), service.output()[-2000:]


def play(root: Path, config: dict[str, Any], folder: Path, service: Container) -> tuple[str, str, str]:
    """Ask over gRPC and REST; returns id and key of a match, and the revision after a move."""
    grpc, rest = service.ports()
    probe = folder / "probe"
    probe.mkdir()
    address = {"CHITARRELLA_GRPC_ADDRESS": f"127.0.0.1:{grpc}"}
    with Container(root, config, probe, *config["Healthcheck"]["Test"][1:], **address) as health:
        assert 0 == health.wait(), health.output()
    assert {"status": "ready"} == ask(rest, "/readyz")
    question = {"ruleSet": {"gameId": "briscola"}, "cards": ["5c", "3s"], "trump": "d"}
    assert "5c" == ask(rest, "/v1/rules:resolveTrick", question)["winningCard"]
    with Chitarrella(f"127.0.0.1:{grpc}") as client:
        match = client.create_match("briscola", players=2)
        moves = match.legal_moves()
        seat = match.as_seat(moves.seat)
        seat.play_or_raise(moves[0])
        return match.id, seat.key, ask(rest, f"/v1/matches/{match.id}", key=seat.key)["revision"]


def ask(port: int, path: str, body: dict[str, Any] | None = None, key: str = "") -> dict[str, Any]:
    """The answer of REST to a call. Raises `HTTPError`."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        answer: dict[str, Any] = json.load(response)
        return answer


if __name__ == "__main__":
    sys.exit(main())
