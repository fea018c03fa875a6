"""Render the overlays of deploy/kubernetes/ and validate them: `python -m tests.deploy.manifests`.

kustomize renders, in a version built here once; the schemas are those of Kubernetes, without a network.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]  # it ships no types
import yaml

ROOT = Path(__file__).parents[2]
MANIFESTS = ROOT / "deploy" / "kubernetes"
KUSTOMIZE = "v5.8.1"
BINARY = ROOT / "build" / f"kustomize-{KUSTOMIZE}" / "kustomize"
VERSIONS = ("1.30", kubernetes_validate.latest_version())
"""Releases of Kubernetes whose schemas an object must match: the oldest that its page names, and the newest."""

Manifest = dict[str, Any]


def main() -> int:
    """Validate each overlay; the exit status says whether there was a problem."""
    build_kustomize()
    found = 0
    for overlay in overlays():
        objects = render(overlay)
        lines = [line for manifest in objects for line in problems(manifest)]
        print(f"{overlay.name}: {len(objects)} objects, {len(lines)} problems")
        for line in lines:
            print(f"  {line}", file=sys.stderr)
        found += len(lines)
    return 1 if found else 0


def overlays() -> list[Path]:
    return sorted(path.parent for path in MANIFESTS.glob("overlays/*/kustomization.yaml"))


def build_kustomize() -> None:
    """Build kustomize unless it is there; exits with the reason where there is no Go."""
    BINARY.parent.mkdir(parents=True, exist_ok=True)
    with (BINARY.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other test processes wait for this one
        if BINARY.exists():
            return
        go = shutil.which("go")
        if go is None:
            sys.exit("Go is needed to build kustomize, which renders deploy/kubernetes/")
        package = f"sigs.k8s.io/kustomize/kustomize/v5@{KUSTOMIZE}"
        subprocess.run([go, "install", package], env={**os.environ, "GOBIN": str(BINARY.parent)}, check=True)


def render(overlay: Path) -> list[Manifest]:
    """The objects of an overlay. Raises `CalledProcessError` if kustomize refuses it."""
    done = subprocess.run([str(BINARY), "build", str(overlay)], stdout=subprocess.PIPE, text=True, check=True)
    return list(yaml.safe_load_all(done.stdout))


def problems(manifest: Manifest) -> Iterator[str]:
    """What is wrong with an object in each version: the first value that does not match, and unknown fields."""
    name = f"{manifest['kind']} {manifest['metadata']['name']}"
    for version in VERSIONS:
        try:
            kubernetes_validate.validate(manifest, version, strict=True)
        except kubernetes_validate.SchemaNotFoundError as error:
            yield f"{name}: {error.message}"
        except kubernetes_validate.ValidationError as error:
            place = ".".join(map(str, error.absolute_path))
            yield f"{name}, Kubernetes {version}: {place}: {error.message}"


if __name__ == "__main__":
    sys.exit(main())
