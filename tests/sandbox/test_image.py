"""The name, the pinned base and the build of the sandbox image."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from sandbox.docker import image
from sandbox.docker.engine import connect
from sandbox.docker.image import build_image, image_tag, torch_pin
from sandbox.job import ImageMissing

REPOSITORY = Path(__file__).parents[2]


def test_the_name_changes_with_the_dockerfile(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert re.fullmatch(r"interviewer-sandbox:[0-9a-f]{12}", image_tag())
    changed = tmp_path / "Dockerfile"
    changed.write_text(image.DOCKERFILE.read_text().replace(torch_pin(), "9.9.9"))
    before = image_tag()
    monkeypatch.setattr(image, "DOCKERFILE", changed)
    assert torch_pin() == "9.9.9"
    assert image_tag() != before
    assert image_tag("given:1") == "given:1"


def test_every_stage_has_the_same_torch() -> None:
    pins = re.findall(r"^ARG TORCH=(\S+)$", image.DOCKERFILE.read_text(), re.MULTILINE)
    assert pins == [torch_pin()] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="the script is for Debian and Ubuntu")
def test_ci_names_the_image_as_the_program_does() -> None:
    script = (REPOSITORY / ".ci" / "engine.sh").read_text().splitlines()
    lines = [line for line in script if line.startswith(("image=", "torch="))]
    run = subprocess.run(
        ["bash", "-euc", "\n".join([*lines, 'echo "$image $torch"'])],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == [image_tag(), torch_pin()]


@pytest.mark.skipif(sys.platform != "linux", reason="the script is for Debian and Ubuntu")
def test_ci_installs_all_that_building_the_image_imports() -> None:
    (asked,) = re.findall("--constraint constraints.txt (.+)", (REPOSITORY / ".ci" / "engine.sh").read_text())
    expected, installed = asked.split(), set()
    while expected:
        name = expected.pop()
        installed.add(name)
        needs = [Requirement(need) for need in importlib.metadata.requires(name) or []]
        expected += [
            need.name.replace("_", "-") for need in needs if not need.marker or need.marker.evaluate({"extra": ""})
        ]
    run = subprocess.run(
        [sys.executable, "-c", "import docker, sandbox.docker.image, sys; print(*sys.modules)"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {module.split(".")[0] for module in run.stdout.split()}
    owners = importlib.metadata.packages_distributions()
    assert {"docker", "platformdirs"} <= imported
    assert {owner for module in imported for owner in owners.get(module, ())} - installed <= {
        "interviewer",
        "setuptools",
    }


def test_an_empty_wheel_folder_is_said_before_anything_is_built(tmp_path: Path) -> None:
    with pytest.raises(ImageMissing, match=r"expected \*.whl files") as caught:
        build_image(wheels=tmp_path)
    assert "pip download" in caught.value.fix


@pytest.mark.docker
def test_a_failed_build_shows_its_last_words_and_leaves_no_image(tmp_path: Path) -> None:
    tmp_path.joinpath("not_a_wheel.whl").write_text("junk")
    lines: list[str] = []
    with pytest.raises(ImageMissing, match="building interviewer-test-build:1"):
        # The sandbox image itself is a base that is surely here: it has Python, and every wheel is missing.
        build_image("interviewer-test-build:1", image_tag(), tmp_path, lines.append)
    assert any("Step 1/" in line for line in lines)
    with connect() as client:
        assert client.images(name="interviewer-test-build:1") == []
