"""What the probe reads of the kernel's settings and of mounts, from files made up here."""

from __future__ import annotations

from pathlib import Path

import pytest
from rizoma_lab.probe.findings import findings
from rizoma_lab.probe.machine import Directory, Machine, Node, mount_options, settings_of

MIB = 1 << 20
MOUNTS = r"""
21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro
30 21 8:2 / /data rw,noatime - xfs /dev/sdb1 rw,inode64
31 21 8:3 / /data/with\040space rw,sync - ext4 /dev/sdc1 rw,sync
32 21 0:5 / /data ro - tmpfs tmpfs ro,size=1g
""".strip()


def test_settings_are_those_in_force(tmp_path: Path):
    for file, text in (
        ("proc/sys/kernel/numa_balancing", "1\n"),
        ("proc/sys/vm/dirty_ratio", "20\n"),
        ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    assert settings_of(tmp_path) == {
        "AutoNUMA (numa_balancing)": "1",
        "transparent huge pages": "madvise",
        "vm.dirty_ratio": "20",
    }
    assert settings_of(tmp_path / "nothing") == {}


@pytest.mark.parametrize(
    ("directory", "options"),
    [
        ("/srv/ann", ("rw", "relatime", "errors=remount-ro")),
        ("/data", ("ro", "size=1g")),  # what was mounted last covers the others
        ("/data/with space/g.rz", ("rw", "sync")),
        ("/database", ("rw", "relatime", "errors=remount-ro")),
    ],
)
def test_the_mount_is_the_nearest_above(tmp_path: Path, directory, options):
    table = tmp_path / "mountinfo"
    table.write_text(MOUNTS)
    assert mount_options(Path(directory), table) == options
    assert mount_options(Path(directory), tmp_path / "none") == ()


@pytest.mark.parametrize(
    ("settings", "nodes", "options", "said"),
    [
        ({"AutoNUMA (numa_balancing)": "1"}, 2, (), "AutoNUMA is on"),
        ({"AutoNUMA (numa_balancing)": "1"}, 1, (), None),
        ({"AutoNUMA (numa_balancing)": "0"}, 2, (), None),
        ({"transparent huge pages": "never"}, 1, (), "Transparent huge pages are off"),
        ({"transparent huge pages": "madvise"}, 1, (), None),
        ({}, 1, ("rw", "sync"), "/d is mounted with sync"),
    ],
)
def test_settings_that_change_figures_are_findings(settings, nodes, options, said):
    places = (Directory("/d", "ext4", False, True, True, MIB, options),)
    machine = Machine({}, tuple(Node(i, (i,), MIB, "dram") for i in range(nodes)), places, MIB, False, settings)
    told = [text for text in findings(machine, []) if "AutoNUMA" in text or "huge pages" in text or "sync" in text]
    assert len(told) == (said is not None)
    assert said is None or said in told[0]
