"""The guest's kernel: Debian's, fetched by apt and unpacked once, kept in a cache."""

import lzma
import os
import subprocess
import zlib
from dataclasses import dataclass
from pathlib import Path

from vmlab.errors import LabError

# What the first root needs before it can see the second.
BOOT_MODULES = (
    "virtio_pci",
    "virtio_console",
    "virtio_blk",
    "9pnet_virtio",
    "9p",
    "overlay",
    "nfit",
    "nd_pmem",
    "device_dax",
    "dax_pmem",
    "kmem",
    "ext4",
    "crc32c_generic",
)


@dataclass(frozen=True)
class Kernel:
    """An unpacked kernel and the folder of its modules."""

    image: Path
    modules: Path


def default_cache() -> Path:
    """Where kernels are kept: $VMLAB_CACHE, or the user's cache folder."""
    return Path(os.environ.get("VMLAB_CACHE", Path.home() / ".cache/vmlab"))


def prepare(cache: Path, deb: Path | None = None) -> Kernel:
    """Fetches (or takes `deb`) and unpacks a distribution kernel; later calls find it done."""
    done = cache / "release"
    if not done.exists():
        cache.mkdir(parents=True, exist_ok=True)
        _run(["dpkg-deb", "-x", deb or _download(cache), cache / "root"])
        image = next((cache / "root/boot").glob("vmlinuz-*"))
        release = image.name.removeprefix("vmlinuz-")
        _run(["depmod", "-b", cache / "root", release])
        (cache / "vmlinux").write_bytes(unpack(image.read_bytes()))
        done.write_text(release)
    return Kernel(cache / "vmlinux", cache / "root/lib/modules" / done.read_text())


def _download(cache: Path) -> Path:
    depends = _run(["apt-cache", "depends", "linux-image-amd64"]).stdout
    package = depends.split("Depends: ")[1].split()[0]
    _run(["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", package], cwd=cache)
    return max(cache.glob(package + "_*.deb"))


def _run(command: list[object], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    try:
        return subprocess.run(words, cwd=cwd, text=True, capture_output=True, check=True)
    except FileNotFoundError:
        raise LabError(f"{words[0]} is not there; the guest's kernel comes from Debian or Ubuntu") from None
    except subprocess.CalledProcessError as failure:
        raise LabError(f"{' '.join(words)} failed: {failure.stderr.strip()}") from None


def unpack(image: bytes) -> bytes:
    """The plain ELF kernel inside a bzImage (Linux boot protocol, fields 0x1f1, 0x248, 0x24c).

    Entered directly, it spares the guest the unpacking, which without hardware help takes longer
    than all the rest of the boot.
    """
    start = (image[0x1F1] + 1) * 512 + int.from_bytes(image[0x248:0x24C], "little")
    payload = image[start : start + int.from_bytes(image[0x24C:0x250], "little")]
    if payload.startswith(b"\xfd7zXZ"):
        return lzma.LZMADecompressor().decompress(payload)
    if payload.startswith(b"\x1f\x8b"):
        return zlib.decompressobj(31).decompress(payload)
    if payload.startswith(b"\x28\xb5\x2f\xfd"):
        return subprocess.run(["zstd", "-dc"], input=payload, capture_output=True, check=False).stdout
    raise LabError("the kernel image is packed in a way that is not known here (xz, gzip and zstd are)")


def module_order(dependencies: str, wanted: tuple[str, ...] = BOOT_MODULES) -> list[str]:
    """Paths of the wanted modules and of what they need, in an order that insmod can follow.

    `dependencies` is the text of modules.dep; a module that is not in it is built into the kernel.
    """
    needs: dict[str, list[str]] = {}
    for line in dependencies.splitlines():
        path, rest = line.split(":")
        needs[Path(path).name.split(".")[0].replace("-", "_")] = [path, *rest.split()]
    order: list[str] = []
    for name in wanted:
        order += [path for path in reversed(needs.get(name, [])) if path not in order]
    return order
