"""The guest's first root: busybox, the modules that boot needs, the init script and the job."""

import shlex
import shutil
from collections.abc import Iterable
from pathlib import Path

from vmlab.errors import LabError
from vmlab.hardware import Hardware
from vmlab.kernel import Kernel, module_order

INIT = Path(__file__).resolve().parent.parent / "guest/init.sh"
FOLDERS = ("bin", "mod", "proc", "sys", "dev", "low", "up", "new")
Entry = tuple[str, int, bytes]  # name, mode, contents


def cpio(entries: Iterable[Entry]) -> bytes:
    """An archive in cpio's "newc" format, as the kernel unpacks it (see its early-userspace docs)."""
    out = bytearray()
    for inode, (name, mode, data) in enumerate([*entries, ("TRAILER!!!", 0, b"")], 1):
        fields = [inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        out += b"070701" + "".join(f"{f:08X}" for f in fields).encode() + name.encode() + b"\0"
        out += bytes(-len(out) % 4) + data
        out += bytes(-len(out) % 4)
    return bytes(out)


def job_script(command: list[str], environment: dict[str, str], folder: str) -> str:
    """The shell script that the guest runs."""
    lines = [f"export {name}={shlex.quote(value)}" for name, value in environment.items()]
    return "\n".join([*lines, f"cd {shlex.quote(folder)}", f"exec {shlex.join(command)}", ""])


def settings(hardware: Hardware, kernel: Kernel, shares: list[str]) -> str:
    """What the init script must know, as shell assignments."""
    values = {
        "MODULES": kernel.modules,
        "SHARES": " ".join(shares),
        "CXL": hardware.cxl or "",
        "NVDIMMS": " ".join(nvdimm.mode for nvdimm in hardware.nvdimms),
    }
    return "".join(f"{name}={shlex.quote(str(value))}\n" for name, value in values.items())


def build(hardware: Hardware, kernel: Kernel, shares: list[str], job: str) -> bytes:
    """The whole archive."""
    busybox = shutil.which("busybox")
    if not busybox:
        raise LabError("busybox is missing: apt install busybox-static")
    drivers = [kernel.modules / path for path in module_order((kernel.modules / "modules.dep").read_text())]
    entries: list[Entry] = [(name, 0o40755, b"") for name in FOLDERS]
    entries += [
        ("init", 0o100755, INIT.read_bytes()),
        ("settings", 0o100644, settings(hardware, kernel, shares).encode()),
        ("job", 0o100644, job.encode()),
        ("bin/busybox", 0o100755, Path(busybox).read_bytes()),
        ("mod/order", 0o100644, "".join(f"/mod/{d.name}\n" for d in drivers).encode()),
    ]
    entries += [(f"mod/{d.name}", 0o100644, d.read_bytes()) for d in drivers]
    return cpio(entries)
