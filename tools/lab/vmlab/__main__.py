"""Runs a command in a throw-away Linux guest that has hardware this machine lacks.

The guest has two CPU NUMA nodes, one slow memory-only node, NVDIMMs (each with a NUMA node of its
own, as Optane has) and, if asked for, a CXL type-3 device.  Its root is the host's root seen through
an overlay, so programs built on the host run unchanged; what they write is discarded, except under
--share and, with --persist, on the NVDIMMs.  The command's output and exit code are passed on; 124
means that time ran out, 137 that the power was cut on request, 125 that the guest itself failed.
"""

import argparse
import signal
import sys
from pathlib import Path

from vmlab.errors import LabError
from vmlab.guest import Run, execute
from vmlab.hardware import Hardware, Nvdimm


def _nvdimm(text: str) -> Nvdimm:
    try:
        return Nvdimm.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        prog="vmlab", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--timeout", type=float, default=120, metavar="S", help="time limit in seconds, boot included (120)")
    add("--cpus", type=int, default=1, help="processors per CPU node (1)")
    add("--mem", type=int, default=768, metavar="MIB", help="memory per CPU node (768)")
    add("--slow", type=int, default=512, metavar="MIB", help="size of the memory-only node, 0 for none (512)")
    add(
        "--nvdimm",
        type=_nvdimm,
        action="append",
        metavar="MODE[:MIB]",
        help="an NVDIMM, repeatable; MODE: fsdax (ext4 -o dax on /mnt/pmemI), devdax (/dev/daxN.0), "
        "kmem (system RAM on its own node, 128 MiB less) or raw (/dev/pmemN); /dev/nvdimmI "
        "leads to the Ith, from 0; default: fsdax:512 and devdax:512",
    )
    add("--eadr", action="store_true", help="claim that CPU caches survive power loss")
    add(
        "--cxl",
        type=int,
        default=0,
        metavar="MIB",
        help="a CXL type-3 device (/dev/cxl0, a devdax); drops the latency claims; very slow",
    )
    add("--disk", type=int, action="append", default=[], metavar="MIB", help="a virtio disk (/dev/vda...), repeatable")
    add("--persist", type=Path, metavar="DIR", help="keep the NVDIMM, CXL and disk images in DIR")
    add(
        "--share",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="a host folder the guest may write to, same path inside",
    )
    add("--env", action="append", default=[], metavar="NAME=VALUE")
    add("--kill-on", default="", metavar="TEXT", help="cut the power when the command prints TEXT")
    add("--kill-after", type=float, metavar="S", help="cut the power S seconds after the command starts")
    add("--accel", choices=["auto", "kvm", "tcg"], default="auto")
    add("--kernel-deb", type=Path, help="use this linux-image package rather than fetch one")
    add("--qemu", action="append", default=[], metavar="ARG", help="one more argument for QEMU, repeatable")
    add("--verbose", "-v", action="store_true", help="show the boot and the times taken")
    add("command", nargs="+")
    return parser.parse_args(words)


def to_run(options: argparse.Namespace) -> Run:
    """The run that a command line asks for."""
    hardware = Hardware(
        cpus=options.cpus, mem=options.mem, slow=options.slow, eadr=options.eadr, cxl=options.cxl, disks=options.disk
    )
    if options.nvdimm:
        hardware.nvdimms = options.nvdimm
    environment = dict(pair.split("=", 1) for pair in options.env)
    return Run(
        options.command,
        hardware,
        environment,
        shares=options.share,
        persist=options.persist,
        timeout=options.timeout,
        kill_on=options.kill_on,
        kill_after=options.kill_after,
        accelerator=options.accel,
        kernel_deb=options.kernel_deb,
        extra=options.qemu,
        verbose=options.verbose,
    )


def main() -> int:
    """The command `vmlab`."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    try:
        outcome = execute(to_run(options))
    except LabError as error:
        sys.exit(f"vmlab: {error}")
    if options.verbose:
        ready = outcome.boot_seconds
        boot = "never ready" if ready is None else f"{ready:.1f} s to the command"
        print(f"vmlab: {boot}, {outcome.seconds:.1f} s in all", file=sys.stderr)
    return outcome.code


if __name__ == "__main__":
    sys.exit(main())
