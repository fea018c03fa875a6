"""deploy/kubernetes/: what every overlay demands of a pod. `make check-deploy` holds them against the schemas."""

import re
import shutil
from typing import Any

import click
import pytest

from chitarrella.cli import serve
from chitarrella.server import supervisor
from tests.deploy.manifests import BINARY, MANIFESTS, ROOT, Manifest, build_kustomize, overlays, render

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # Go builds kustomize in the first one
REPLICATED = {"replicated", "cluster"}


@pytest.fixture(scope="session")
def kustomize() -> None:
    """kustomize, built unless `make check-deploy` has built it."""
    if shutil.which("go") is None and not BINARY.exists():
        pytest.skip("kustomize: there is no Go on the PATH to build it with")
    build_kustomize()


@pytest.fixture(scope="module", params=[path.name for path in overlays()])
def overlay(kustomize: None, request: pytest.FixtureRequest) -> tuple[str, list[Manifest]]:
    return request.param, render(MANIFESTS / "overlays" / request.param)


def of_kind(objects: list[Manifest], *kinds: str) -> list[Manifest]:
    return [one for one in objects if one["kind"] in kinds]


def workload(objects: list[Manifest]) -> Manifest:
    (one,) = of_kind(objects, "Deployment", "StatefulSet")
    return one


def pod(objects: list[Manifest]) -> dict[str, Any]:
    spec: dict[str, Any] = workload(objects)["spec"]["template"]["spec"]
    return spec


def container(objects: list[Manifest]) -> dict[str, Any]:
    (one,) = pod(objects)["containers"]
    found: dict[str, Any] = one
    return found


def test_pods_keep_the_restricted_standard(overlay: tuple[str, list[Manifest]]) -> None:
    """No pod runs as root, writes to its image, has a capability or a token of the cluster."""
    spec, one = pod(overlay[1]), container(overlay[1])
    assert {"runAsNonRoot": True, "runAsUser": 10001, "seccompProfile": {"type": "RuntimeDefault"}}.items() <= dict(
        spec["securityContext"]
    ).items()
    wanted = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    assert wanted == one["securityContext"]
    assert spec["automountServiceAccountToken"] is False
    assert f"USER {spec['securityContext']['runAsUser']}\n" in (ROOT / "Dockerfile").read_text()


def test_settings_of_pods_exist(overlay: tuple[str, list[Manifest]]) -> None:
    """Every variable that a pod gets is a setting of `chitarrella serve`, and Kubernetes adds no other one."""
    options = {option.envvar for option in serve.command.params if isinstance(option, click.Option)}
    (settings,) = of_kind(overlay[1], "ConfigMap")
    given = {*settings["data"], *(one["name"] for one in container(overlay[1]).get("env", ()))}
    assert given <= options
    assert pod(overlay[1])["enableServiceLinks"] is False


def test_ports_are_named_once(overlay: tuple[str, list[Manifest]]) -> None:
    """Services and policies name ports of the edge, which are those that the image listens at; probes ask there."""
    (edge,) = (one for one in pod(overlay[1])["initContainers"] if one.get("restartPolicy") == "Always")
    ports = {port["name"]: port["containerPort"] for port in edge["ports"]}
    (writer,) = (one for one in pod(overlay[1])["initContainers"] if one is not edge)
    given = [word.partition("0.0.0.0:")[2] for word in writer["command"] if "0.0.0.0:" in word]
    assert sorted(map(int, given)) == sorted(ports.values())
    listens = re.findall(r"CHITARRELLA_\w+_ADDRESS=0\.0\.0\.0:(\d+)", (ROOT / "Dockerfile").read_text())
    assert sorted(map(int, listens)) == sorted(ports.values())
    services = [port["targetPort"] for one in of_kind(overlay[1], "Service") for port in one["spec"]["ports"]]
    policy = next(one for one in of_kind(overlay[1], "NetworkPolicy") if one["spec"].get("ingress"))
    allowed = [port["port"] for rule in policy["spec"]["ingress"] for port in rule["ports"]]
    assert {*services, *allowed} == ports.keys()
    assert {"admin"} == ports.keys() - set(services)
    for probe in ("startupProbe", "livenessProbe"):
        assert ports["grpc"] == container(overlay[1])[probe]["grpc"]["port"]
    assert ports["admin"] == container(overlay[1])["readinessProbe"]["httpGet"]["port"]


def test_selectors_find_the_pods(overlay: tuple[str, list[Manifest]]) -> None:
    """The labels that services, policies and budgets select by are those of the pods."""
    labels = workload(overlay[1])["spec"]["template"]["metadata"]["labels"].items()
    specs = [one["spec"] for one in of_kind(overlay[1], "NetworkPolicy", "PodDisruptionBudget", "Service")]
    selectors = [spec.get("podSelector") or spec["selector"] for spec in specs]
    assert all(selectors)
    assert all(selector.get("matchLabels", selector).items() <= labels for selector in selectors)


def test_pod_is_given_time_to_stop(overlay: tuple[str, list[Manifest]]) -> None:
    """After preStop the grace period leaves the time that calls in progress and several workers have."""
    pause = container(overlay[1])["lifecycle"]["preStop"]["sleep"]["seconds"]
    left = pod(overlay[1])["terminationGracePeriodSeconds"] - pause
    assert left > supervisor.STOP_TIMEOUT_SECONDS + 10


def test_overlay_has_its_store(overlay: tuple[str, list[Manifest]]) -> None:
    """One node has a volume and one pod; the others a URL from a Secret, a budget, and an autoscaler in charge."""
    name, objects = overlay
    variables = {one["name"] for one in container(objects).get("env", ()) if "valueFrom" in one}
    kinds = {one["kind"] for one in objects}
    if name not in REPLICATED:
        assert ("StatefulSet", 1) == (workload(objects)["kind"], workload(objects)["spec"]["replicas"])
        assert "/data" in {mount["mountPath"] for mount in container(objects)["volumeMounts"]}
        assert not variables
        assert not kinds & {"PodDisruptionBudget", "HorizontalPodAutoscaler"}
        return
    (scaler,) = of_kind(objects, "HorizontalPodAutoscaler")
    assert {"CHITARRELLA_REDIS_URL"} == variables
    assert "replicas" not in workload(objects)["spec"]
    assert workload(objects)["metadata"]["name"] == scaler["spec"]["scaleTargetRef"]["name"]
    assert 3 == scaler["spec"]["minReplicas"]
    assert "PodDisruptionBudget" in kinds
    assert 2 == len(pod(objects)["topologySpreadConstraints"])


def test_no_secret_is_in_the_repository(overlay: tuple[str, list[Manifest]]) -> None:
    """Secrets are named, and made by the operator."""
    assert [] == of_kind(overlay[1], "Secret")
