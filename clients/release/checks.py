"""What is checked of the packages: each as its registry would, each installed into an empty application that plays."""

from __future__ import annotations

from typing import Final, NamedTuple

from clients.release.interpreters import VERSIONS


class Check(NamedTuple):
    """A script in the folder of an application, and what it needs.

    ``packages`` are built before it, ``needs`` are programs. What ``plays`` finishes a match at the service that runs
    beside it, and writes its id to `match_id`; the others say by their exit status whether all is well. ``python`` is
    the version of Python that the script is given, if it is not that of this environment.
    """

    folder: str
    packages: tuple[str, ...]
    needs: tuple[str, ...] = ()
    script: tuple[str, ...] = ("check.sh",)
    plays: bool = True
    python: str = ""


REGISTRY: Final = ("registry.sh",)
"""The script that checks a package as its registry would."""
NODE, MAVEN = ("node", "npm"), ("java", "mvn")
CPP: Final = ("cmake", "ninja", "protoc", "grpc_cpp_plugin", "make", "npm")

CHECKS: Final = {
    "python-registry": Check("python", ("python",), script=REGISTRY, plays=False),
    "python": Check("python", ("python",), script=("check.sh", "wheel")),
    "python-sdist": Check("python", ("python",), script=("check.sh", "sdist")),
    "python-lowest": Check("python", ("python",), script=("lowest.sh",)),
    "python-serve": Check("python", ("python",), script=("serve.sh",), plays=False),
    **{
        f"python-{version}": Check("python", ("python",), script=("serve.sh",), plays=False, python=version)
        for version in VERSIONS
    },
    "typescript-registry": Check("typescript", ("python", "npm"), NODE, REGISTRY, plays=False),
    "typescript": Check("typescript", ("npm",), NODE),
    "typescript-rules": Check("typescript-rules", ("npm",), NODE),
    "go-registry": Check("go", ("go",), ("git", "go"), REGISTRY, plays=False),
    "go": Check("go", ("go",), ("git", "go")),
    "rust-registry": Check("rust", ("crates",), ("cargo",), REGISTRY, plays=False),
    "rust": Check("rust", ("crates",), ("cargo", "tar")),
    "java-registry": Check("java", ("maven",), MAVEN, REGISTRY, plays=False),
    "java": Check("java", ("maven",), MAVEN),
    "kotlin": Check("kotlin", ("maven",), MAVEN),
    "cpp": Check("cpp", ("cpp",), CPP),
    "image": Check("image", ("image",), ("buildah", "mmdebstrap"), plays=False),
    "kubernetes": Check("kubernetes", ("kubernetes",), ("go",), plays=False),
    "vectors": Check("vectors", ("python", "vectors"), plays=False),
    "sbom": Check("sbom", ("sbom",), plays=False),
}
"""Every check by its name."""
