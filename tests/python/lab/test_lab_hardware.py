from itertools import pairwise

import pytest
from vmlab.hardware import CLAIMS, Hardware, Nvdimm, backing


def values(arguments, option):
    return [value for name, value in pairwise(arguments) if name == option]


def test_nvdimms_are_read():
    assert Nvdimm.parse("fsdax") == Nvdimm("fsdax", 512)
    assert Nvdimm.parse("kmem:256") == Nvdimm("kmem", 256)


@pytest.mark.parametrize("text", ["floppy", "fsdax:100", "kmem:128", "fsdax:0", "fsdax:x"])
def test_wrong_nvdimms_are_refused(text):
    with pytest.raises(ValueError, match=r"MODE is|invalid literal"):
        Nvdimm.parse(text)


def test_nodes_are_cpu_nodes_then_slow_then_nvdimms():
    nodes = Hardware(cpus=2, slow=512, nvdimms=[Nvdimm("fsdax"), Nvdimm("kmem", 256)]).nodes()
    assert [node.kind for node in nodes] == ["dram", "dram", "slow", "pmem", "pmem"]
    assert [node.processors for node in nodes] == [(0, 1), (2, 3), (), (), ()]
    assert [node.mib for node in nodes] == [768, 768, 512, 0, 128]
    assert [node.socket for node in nodes] == [0, 1, 0, 0, 1]


def test_distances_are_symmetric_and_local_is_ten():
    hardware = Hardware()
    count = len(hardware.nodes())
    for a in range(count):
        for b in range(count):
            assert hardware.distance(a, b) == hardware.distance(b, a)
            assert (hardware.distance(a, b) == 10) == (a == b)
    assert hardware.distance(0, 1) == CLAIMS["dram", False].distance


def test_expectations_name_nodes_with_memory_only():
    hardware = Hardware(cpus=2, mem=768, slow=512, nvdimms=[Nvdimm("fsdax", 256), Nvdimm("kmem", 256)])
    assert hardware.expectations() == {
        "LAB_NODES": "0/768/0,1 1/768/2,3 2/512/ nvdimm1/128/",
        "LAB_DISTANCES": "10,21,24,28 21,10,31,17 24,31,10,31 28,17,31,10",
        "LAB_DAX": "/mnt/pmem0",
    }


def test_qemu_gets_every_node_distance_and_device(tmp_path):
    hardware = Hardware(nvdimms=[Nvdimm("fsdax", 256)], disks=[64])
    arguments = hardware.qemu_arguments(tmp_path)
    numa = values(arguments, "-numa")
    assert sum(word.startswith("node,") for word in numa) == 4
    assert sum(word.startswith("dist,") for word in numa) == 12
    assert sum(word.startswith("hmat-lb,") for word in numa) == 2 * 2 * 4
    assert "nvdimm,id=nvdimm0,memdev=nv0,node=3" in values(arguments, "-device")
    assert values(arguments, "-m") == ["2048M,slots=8,maxmem=10496M"]
    assert (tmp_path / "nvdimm0.img").stat().st_size == 256 << 20
    assert (tmp_path / "disk0.img").stat().st_size == 64 << 20


def test_cxl_excludes_hmat(tmp_path):
    arguments = Hardware(cxl=256).qemu_arguments(tmp_path)
    assert not any(word.startswith("hmat-lb") or "hmat=on" in word for word in arguments)
    assert "cxl-type3,id=cxl0,bus=cxlport,memdev=cxlmem,lsa=cxllsa" in arguments


def test_an_image_that_is_there_is_kept(tmp_path):
    path = tmp_path / "nvdimm0.img"
    path.write_bytes(b"data")
    assert backing(path, 128).read_bytes() == b"data"
