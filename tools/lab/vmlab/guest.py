"""Boots a guest, passes its output on, and ends it: at its exit code, at a limit, or as a power cut.

Killing QEMU is how a guest ends in any case: SIGKILL, as sudden as a power cut.  What the guest had
only in its page cache is lost then; what it had made durable on an NVDIMM or a disk stays.
"""

import os
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from vmlab import initramfs, kernel
from vmlab.errors import LabError
from vmlab.hardware import Hardware

TIMED_OUT, GUEST_FAILED, POWER_CUT = 124, 125, 137

KERNEL_OPTIONS = (
    "console=ttyS0 panic=-1 random.trust_cpu=1 tsc=reliable no_timer_check mitigations=off "
    "nokaslr audit=0 security=none cryptomgr.notests"
)


@dataclass
class Run:
    """A command and the circumstances that it runs in."""

    command: list[str]
    hardware: Hardware = field(default_factory=Hardware)
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = field(default_factory=os.getcwd)
    shares: list[Path] = field(default_factory=list)
    persist: Path | None = None  # keeps the images of NVDIMMs, CXL and disks
    timeout: float = 120
    kill_on: str = ""  # cut the power when this is printed
    kill_after: float | None = None  # or this many seconds after the command started
    accelerator: str = "auto"
    cache: Path = field(default_factory=kernel.default_cache)
    kernel_deb: Path | None = None
    extra: list[str] = field(default_factory=list)
    verbose: bool = False


@dataclass
class Outcome:
    """How it ended."""

    code: int
    boot_seconds: float | None  # until the command started; None: it never did
    seconds: float


def accelerator(wanted: str) -> list[str]:
    """KVM if it exists and worth it.

    A /dev/kvm made by PVM interprets a stock kernel instruction by instruction and is slower than
    QEMU's own translation.
    """
    tcg = ["-accel", "tcg,thread=multi,tb-size=256"]
    if wanted == "auto":
        wanted = "tcg" if Path("/sys/module/kvm_pvm").exists() else "any"
    choice = {"tcg": tcg, "kvm": ["-accel", "kvm"], "any": ["-accel", "kvm", *tcg]}[wanted]
    return [*choice, "-cpu", "max,la57=off"]


def share_arguments(shares: list[str]) -> list[str]:
    """The host's root, read-only, and the folders that the guest may write to."""
    arguments = [
        "-fsdev",
        "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap",
        "-device",
        "virtio-9p-pci,bus=pcie.0,fsdev=root,mount_tag=root",
    ]
    for i, folder in enumerate(shares):
        arguments += [
            "-fsdev",
            f"local,id=share{i},path={folder},security_model=none,multidevs=remap",
            "-device",
            f"virtio-9p-pci,bus=pcie.0,fsdev=share{i},mount_tag=share{i}",
        ]
    return arguments


class Port:
    """A serial port of the guest that ends in a pipe here."""

    def __init__(self, name: str):
        self.read, self.write = os.pipe()
        os.set_inheritable(self.write, True)
        self.arguments = [
            "-chardev",
            f"file,id={name},path=/proc/self/fd/{self.write}",
            "-device",
            f"virtserialport,chardev={name},name={name}",
        ]


class Watch:
    """Follows a running guest until it is over."""

    def __init__(self, run: Run, stop: Callable[[], None]):
        self.run, self.stop = run, stop
        self.begin = time.monotonic()
        self.ready: float | None = None
        self.code: int | None = None
        self.tail = b""

    def elapsed(self) -> float:
        """Seconds since the guest was switched on."""
        return time.monotonic() - self.begin

    def end(self, code: int) -> None:
        """Switches the guest off; the first reason counts."""
        if self.code is None:
            self.code = code
            self.stop()

    def check_time(self) -> None:
        """Applies the limits of time."""
        if self.elapsed() > self.run.timeout:
            self.end(TIMED_OUT)
        after = self.run.kill_after
        if after is not None and self.ready is not None and self.elapsed() - self.ready > after:
            self.end(POWER_CUT)

    def control(self, data: bytes) -> None:
        """Words of the init script: "ready", then an exit code."""
        for word in data.decode().split():
            if word == "ready":
                self.ready = self.elapsed()
            else:
                self.end(int(word))

    def output(self, data: bytes, sink: Callable[[bytes], None]) -> None:
        """Something that the command printed."""
        sink(data)
        self.tail = self.tail[-4096:] + data
        if self.run.kill_on and self.run.kill_on.encode() in self.tail:
            self.end(POWER_CUT)

    def follow(self, ports: dict[str, Port], sinks: dict[str, Callable[[bytes], None]]) -> Outcome:
        """Reads all ports until they are closed."""
        with selectors.DefaultSelector() as selector:
            for name, port in ports.items():
                selector.register(port.read, selectors.EVENT_READ, name)
            while selector.get_map():
                self.check_time()
                for key, _ in selector.select(0.05):
                    data = os.read(key.fd, 65536)
                    if not data:
                        selector.unregister(key.fd)
                        os.close(key.fd)
                    elif key.data == "control":
                        self.control(data)
                    else:
                        self.output(data, sinks[key.data])
        return Outcome(GUEST_FAILED if self.code is None else self.code, self.ready, self.elapsed())


def _print_to(stream) -> Callable[[bytes], None]:
    def sink(data: bytes) -> None:
        stream.buffer.write(data)
        stream.flush()

    return sink


def execute(run: Run, stdout: Callable[[bytes], None] | None = None) -> Outcome:
    """Boots a guest, runs the command in it and returns how it ended."""
    qemu = shutil.which("qemu-system-x86_64")
    if not qemu:
        raise LabError("QEMU is missing: apt install qemu-system-x86")
    used = kernel.prepare(run.cache, run.kernel_deb)
    shares = [str(folder.resolve()) for folder in run.shares]
    job = initramfs.job_script(run.command, run.hardware.expectations() | run.environment, run.folder)
    with tempfile.TemporaryDirectory(prefix="vmlab-") as name:
        folder = Path(name)
        store = run.persist.resolve() if run.persist else folder
        store.mkdir(parents=True, exist_ok=True)
        (folder / "initrd").write_bytes(initramfs.build(run.hardware, used, shares, job))
        ports = {name: Port(name) for name in ("out", "err", "control")}
        arguments = [
            qemu,
            "-nodefaults",
            "-no-user-config",
            "-no-reboot",
            "-display",
            "none",
            *accelerator(run.accelerator),
            *run.hardware.qemu_arguments(store),
            *share_arguments(shares),
            "-device",
            "virtio-serial-pci,bus=pcie.0",
            *(argument for port in ports.values() for argument in port.arguments),
            "-serial",
            f"file:{folder / 'console'}",
            "-kernel",
            str(used.image),
            "-initrd",
            str(folder / "initrd"),
            "-append",
            KERNEL_OPTIONS + ("" if run.verbose else " quiet"),
            *run.extra,
        ]
        sinks = {"out": stdout or _print_to(sys.stdout), "err": _print_to(sys.stderr)}
        outcome = _boot(run, arguments, ports, sinks, folder)
        if run.verbose or outcome.code == GUEST_FAILED:
            for log in ("console", "qemu"):
                path = folder / log
                sys.stderr.write(path.read_text(errors="replace") if path.exists() else "")
        return outcome


def _boot(
    run: Run, arguments: list[str], ports: dict[str, Port], sinks: dict[str, Callable[[bytes], None]], folder: Path
) -> Outcome:
    with (folder / "qemu").open("wb") as log:
        process = subprocess.Popen(
            arguments, pass_fds=[p.write for p in ports.values()], stdin=subprocess.DEVNULL, stderr=log
        )
    for port in ports.values():
        os.close(port.write)
    try:
        return Watch(run, process.kill).follow(ports, sinks)
    finally:
        process.kill()
        process.wait()
