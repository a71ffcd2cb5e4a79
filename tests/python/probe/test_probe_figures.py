import numpy as np
import pytest
from rizoma_lab.probe.cases import MIB, FileCase, Measurement, MemoryCase
from rizoma_lab.probe.figures import figure
from rizoma_lab.probe.findings import findings
from rizoma_lab.probe.machine import Directory, Machine, Node, cache_bytes
from rizoma_lab.probe.measure import run_cases
from rizoma_lab.probe.plan import Limits, file_cases, memory_cases, working_set

GIB = 1 << 30


def directory(path="/data", **traits):
    known = {
        "file_system": "ext4",
        "dax": False,
        "direct_io": True,
        "evictable": True,
        "free_bytes": 100 * GIB,
    }
    return Directory(path, **(known | traits))


def machine(*directories, nodes=None, virtual=False):
    nodes = nodes or (Node(0, (0, 1), 8 * GIB, "dram"),)
    return Machine({}, tuple(nodes), directories, 32 * MIB, virtual)


FOUR_NODES = (
    Node(0, (0, 1), 8 * GIB, "dram"),
    Node(1, (2, 3), 8 * GIB, "dram"),
    Node(2, (), GIB, "cxl"),
    Node(3, (), 0, ""),
)


# ---- the plan ---------------------------------------------------------------------------------------


def test_every_processor_node_meets_every_memory():
    cases = memory_cases(machine(nodes=FOUR_NODES), Limits())
    pairs = {(case.processor_node, case.memory_node) for case in cases if case.kernel == "random_read"}
    assert pairs == {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)}
    assert {case.processor_node == case.memory_node for case in cases if case.kernel == "triad"} == {True}


def test_dax_directories_are_memory_too_and_others_are_not():
    cases = memory_cases(machine(directory("/disk"), directory("/pmem", dax=True)), Limits())
    assert {case.directory for case in cases} == {"", "/pmem"}


def test_the_working_set_exceeds_the_cache_but_not_what_is_allowed():
    small, large = Node(2, (), 256 * MIB, "cxl"), Node(0, (0,), 8 * GIB, "dram")
    assert working_set(machine(), large, Limits()) == 128 * MIB
    assert working_set(machine(), small, Limits()) == 64 * MIB
    assert working_set(machine(), large, Limits(memory_bytes=10 * MIB)) == 10 * MIB


def test_files_are_whole_blocks_within_the_limits():
    for case in file_cases(machine(directory(), directory("/full", free_bytes=40 * MIB)), Limits()):
        assert case.file_bytes % case.block_bytes == 0
        assert case.file_bytes <= 64 * MIB
        assert case.file_bytes // case.block_bytes <= 2048
        if "/full" in (case.source, case.target):
            assert 2 * case.file_bytes <= 40 * MIB


def test_the_cache_is_bypassed_only_where_that_is_possible():
    states = {case.cache for case in file_cases(machine(directory(direct_io=False)), Limits())}
    assert states == {"warm", "cold"}
    cases = file_cases(machine(directory()), Limits())
    assert {case.cache for case in cases if case.kernel == "read"} == {"warm", "cold", "bypassed"}
    assert "bypassed" not in {case.cache for case in cases if case.kernel in ("copy_msync", "append_sync")}


def test_directories_are_copied_to_each_other():
    cases = file_cases(machine(directory("/a"), directory("/b")), Limits())
    assert {(c.source, c.target) for c in cases if c.target} == {("/a", "/b"), ("/b", "/a")}
    for there in ("/a", "/b"):
        kernels = [c.kernel for c in cases if c.target == there]
        assert sorted(kernels) == ["copy_flush", "copy_fsync", "copy_msync"]


def test_quick_is_a_part_of_full():
    there = machine(directory(), nodes=FOUR_NODES)
    for plan in (memory_cases, file_cases):
        quick, full = plan(there, Limits(quick=True)), plan(there, Limits())
        assert set(quick) < set(full)


def test_senseless_limits_are_refused():
    with pytest.raises(ValueError, match="at least"):
        Limits(seconds=0)


def test_cases_without_time_are_left_out_and_say_so():
    cases = memory_cases(machine(), Limits())
    results = run_cases(cases, 0.0, Limits(), None, "memory")
    assert [result.case for result in results] == cases
    assert all("no time" in result.missing for result in results)


def test_the_cache_size_is_read(tmp_path):
    for name, size in (("index0", "48K"), ("index3", "32M")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "size").write_text(size + "\n")
    assert cache_bytes(tmp_path) == 32 * MIB
    assert cache_bytes(tmp_path / "nowhere") == 32 * MIB


# ---- the figures ------------------------------------------------------------------------------------


def test_units_of_figures():
    latency = figure(Measurement(MemoryCase("latency", 0, 0, MIB), [1e-3, 3e-3, 2e-3], 10_000))
    assert (latency.median, latency.unit) == (pytest.approx(200), "ns")
    rate = figure(Measurement(MemoryCase("copy", 0, 0, MIB), [0.5], 10**9))
    assert (rate.median, rate.unit) == (pytest.approx(2), "GB/s")
    append = figure(Measurement(FileCase("append_sync", "/d", "warm", MIB, 256), [2e-3], 1))
    assert (append.median, append.unit) == (pytest.approx(2000), "us")
    assert figure(Measurement(MemoryCase("copy", 0, 0, MIB), missing="why")) is None


def test_the_interval_holds_the_true_median_about_95_times_in_100():
    rng = np.random.default_rng(1)
    case = MemoryCase("latency", 0, 0, MIB)
    hits = 0
    for _ in range(200):
        found = figure(Measurement(case, list(rng.exponential(1.0, 25)), 10**9))
        assert found.low <= found.median <= found.high
        hits += found.low <= np.log(2) <= found.high
    assert 180 <= hits <= 199


# ---- the findings -----------------------------------------------------------------------------------


def reading(kernel, cache, gigabytes, **more):
    case = FileCase(kernel, "/data", cache, MIB, MIB)
    return Measurement(case, [MIB / (gigabytes * 1e9)] * 3, MIB, **({"resident": 0.0} | more))


def found(*results, where=None, **more):
    return " ".join(findings(machine(where or directory(), **more), list(results)))


def test_a_flattering_page_cache_is_called_out():
    text = found(reading("read", "warm", 10), reading("read", "bypassed", 0.5))
    assert "page cache flatters /data" in text
    assert "20.0 times" in text
    assert "flatters" not in found(reading("read", "warm", 0.6), reading("read", "bypassed", 0.5))


def test_cold_stands_in_where_the_cache_cannot_be_bypassed():
    text = found(reading("read", "warm", 10), reading("read", "cold", 1), where=directory(direct_io=False))
    assert "cold ones at 1 GB/s" in text
    assert "cannot be bypassed" in text


def test_copies_that_are_not_durable_are_called_out():
    text = found(reading("copy_flush", "warm", 5), reading("copy_fsync", "warm", 0.5))
    assert "only fill the page cache" in text


def test_cold_that_is_not_cold_is_called_out():
    assert "100% of the file stayed" in found(reading("read", "cold", 5, resident=1.0))
    assert "not cold" not in found(reading("read", "cold", 5, resident=0.01))


def test_special_file_systems():
    assert "nothing written there is durable" in found(where=directory(file_system="tmpfs"))
    assert "no page cache to flatter" in found(where=directory(dax=True))


def test_a_sync_that_is_too_fast_is_doubted():
    def append(seconds):
        return Measurement(FileCase("append_sync", "/data", "warm", MIB, 256), [seconds] * 3, 1)

    assert "may lose it" in found(append(2e-6))
    assert "may lose it" not in found(append(100e-6))


def test_virtual_machines_unsteady_figures_and_gaps():
    assert "virtual machine" in found(virtual=True)
    shaky = Measurement(MemoryCase("copy", 0, 0, 128 * MIB), [1, 2, 3, 9], 10**9)
    assert "1 of 1 figures are unsteady" in found(shaky)
    assert "1 of 1 cases have no figure" in found(Measurement(shaky.case, missing="refused"))


def test_a_small_working_set_is_called_out():
    assert "hit it" in found(Measurement(MemoryCase("copy", 0, 0, 16 * MIB), [1.0], 10**9))


def test_figures_are_written_in_units_that_keep_them_short():
    def told(seconds):
        return str(figure(Measurement(FileCase("append_sync", "/d", "warm", MIB, 256), [seconds], 1)))

    assert [told(s) for s in (5e-6, 4e-3, 0.999e-3, 2.5)] == ["5 us", "4 ms", "999 us", "2.5 s"]
    assert str(figure(Measurement(FileCase("append_sync", "/d", "warm", MIB, 256), [4e-3] * 3, 1))) == "4 [4, 4] ms"
