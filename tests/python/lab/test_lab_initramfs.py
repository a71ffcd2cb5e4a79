import gzip
import lzma
import shutil
import subprocess

import pytest
from vmlab.errors import LabError
from vmlab.initramfs import cpio, job_script
from vmlab.kernel import module_order, unpack


def bzimage(payload):
    """A kernel image with two setup sectors, whose payload starts 100 bytes after them."""
    head = bytearray(3 * 512 + 100)
    head[0x1F1] = 2
    head[0x248:0x24C] = (100).to_bytes(4, "little")
    head[0x24C:0x250] = len(payload).to_bytes(4, "little")
    return bytes(head) + payload + b"what follows"


@pytest.mark.parametrize("pack", [lzma.compress, gzip.compress])
def test_kernels_are_unpacked(pack):
    assert unpack(bzimage(pack(b"\x7fELF kernel"))) == b"\x7fELF kernel"


def test_an_unknown_packing_is_refused():
    with pytest.raises(LabError, match="packed"):
        unpack(bzimage(b"????"))


def test_modules_come_after_what_they_need():
    dependencies = (
        "fs/ext4.ko: lib/crc16.ko fs/jbd2.ko\nfs/jbd2.ko: lib/crc16.ko\nlib/crc16.ko:\nfs/nine-p.ko: lib/crc16.ko\n"
    )
    order = module_order(dependencies, ("ext4", "nine_p", "built_in"))
    assert sorted(order) == ["fs/ext4.ko", "fs/jbd2.ko", "fs/nine-p.ko", "lib/crc16.ko"]
    assert order.index("fs/jbd2.ko") < order.index("fs/ext4.ko")
    assert order.index("lib/crc16.ko") < order.index("fs/nine-p.ko")


def test_the_job_sets_its_variables_and_quotes(tmp_path):
    script = job_script(["sh", "-c", 'printf "%s" "$WORD; $(pwd)"'], {"WORD": "it's & so"}, str(tmp_path))
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"it's & so; {tmp_path}"


@pytest.mark.skipif(not shutil.which("cpio"), reason="cpio is not installed")
def test_the_archive_is_what_cpio_reads(tmp_path):
    archive = cpio([("bin", 0o40755, b""), ("bin/tool", 0o100755, b"hello"), ("odd", 0o100644, b"123")])
    subprocess.run(["cpio", "-id", "--quiet"], input=archive, cwd=tmp_path, check=True)
    assert (tmp_path / "bin/tool").read_bytes() == b"hello"
    assert (tmp_path / "odd").read_bytes() == b"123"


def test_archive_entries_are_aligned():
    archive = cpio([("a", 0o100644, b"x")])
    assert len(archive) % 4 == 0
    assert archive.startswith(b"070701")
    assert b"TRAILER!!!" in archive
