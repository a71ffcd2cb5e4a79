"""The synthetic machine: what it consists of, what its firmware claims, and QEMU's words for it.

Nodes: first the CPU nodes, then the slow node if there is one, then one node for each NVDIMM (as
Optane has).  A node of an NVDIMM has memory of its own only in kmem mode; its number is the guest
kernel's choice, which the init script puts into LAB_NVDIMM_NODES.
"""

from dataclasses import dataclass, field
from pathlib import Path

MIB = 1 << 20
SOCKETS = 2
NVDIMM_MODES = ("fsdax", "devdax", "kmem", "raw")
# What a KMEM-DAX node has less than its NVDIMM: the kernel keeps page descriptors on the device and
# onlines whole blocks of 128 MiB.
KMEM_LOSS_MIB = 128
LOCAL_DISTANCE = 10


@dataclass(frozen=True)
class Claim:
    """What the firmware tables (SLIT, HMAT) say of a memory; every access costs the same here."""

    distance: int
    read_ns: int
    mib_per_second: int


# By kind of memory, and whether it hangs off the reader's own socket.
CLAIMS = {
    ("dram", True): Claim(LOCAL_DISTANCE, 80, 100_000),
    ("dram", False): Claim(21, 140, 50_000),
    ("slow", True): Claim(24, 250, 30_000),
    ("slow", False): Claim(31, 310, 20_000),
    ("pmem", True): Claim(17, 300, 7_000),
    ("pmem", False): Claim(28, 380, 3_000),
}


@dataclass(frozen=True)
class Nvdimm:
    """A persistent memory module and the mode that it is put in at boot."""

    mode: str
    mib: int = 512

    @classmethod
    def parse(cls, text: str) -> "Nvdimm":
        """Reads MODE[:MIB]."""
        mode, _, size = text.partition(":")
        mib = int(size or 512)
        least = 2 * KMEM_LOSS_MIB if mode == "kmem" else KMEM_LOSS_MIB
        if mode not in NVDIMM_MODES or mib % 128 or mib < least:
            raise ValueError(
                f"{text!r}: MODE is one of {', '.join(NVDIMM_MODES)}; "
                f"MIB a multiple of 128, kmem at least {2 * KMEM_LOSS_MIB}"
            )
        return cls(mode, mib)


@dataclass(frozen=True)
class Node:
    """A NUMA node as configured."""

    kind: str
    socket: int
    processors: tuple[int, ...] = ()
    mib: int = 0


@dataclass
class Hardware:
    """Everything that the guest is to have."""

    cpus: int = 1
    mem: int = 768
    slow: int = 512
    nvdimms: list[Nvdimm] = field(default_factory=lambda: [Nvdimm("fsdax"), Nvdimm("devdax")])
    eadr: bool = False
    cxl: int = 0
    disks: list[int] = field(default_factory=list)

    def nodes(self) -> list[Node]:
        """All nodes, in order of their numbers."""
        nodes = [Node("dram", s, tuple(range(s * self.cpus, (s + 1) * self.cpus)), self.mem) for s in range(SOCKETS)]
        if self.slow:
            nodes.append(Node("slow", 0, (), self.slow))
        for i, nvdimm in enumerate(self.nvdimms):
            usable = nvdimm.mib - KMEM_LOSS_MIB if nvdimm.mode == "kmem" else 0
            nodes.append(Node("pmem", i % SOCKETS, (), usable))
        return nodes

    def distance(self, a: int, b: int) -> int:
        """SLIT entry of nodes a and b: the slower of the two kinds decides."""
        nodes = self.nodes()
        if a == b:
            return LOCAL_DISTANCE
        near = nodes[a].socket == nodes[b].socket
        return max(CLAIMS[nodes[n].kind, near].distance for n in (a, b))

    def mounts(self) -> list[str]:
        """Where the FS-DAX file systems are."""
        return [f"/mnt/pmem{i}" for i, nvdimm in enumerate(self.nvdimms) if nvdimm.mode == "fsdax"]

    def expectations(self) -> dict[str, str]:
        """The configuration as environment variables, for tests inside to compare with what they see.

        LAB_NODES has NAME/MIB/PROCESSORS for each node with memory, where NAME is its number or
        "nvdimmI"; LAB_DISTANCES a row for each of these, in the same order.
        """
        present = [(n, node) for n, node in enumerate(self.nodes()) if node.mib]
        return {
            "LAB_NODES": " ".join(
                f"{self._name(n)}/{node.mib}/{','.join(map(str, node.processors))}" for n, node in present
            ),
            "LAB_DISTANCES": " ".join(",".join(str(self.distance(a, b)) for b, _ in present) for a, _ in present),
            "LAB_DAX": ":".join(self.mounts()),
        }

    def _name(self, number: int) -> str:
        first = len(self.nodes()) - len(self.nvdimms)
        return str(number) if number < first else f"nvdimm{number - first}"

    def qemu_arguments(self, store: Path) -> list[str]:
        """QEMU's arguments; memory that persists is kept in images in `store`."""
        ram = SOCKETS * self.mem + self.slow
        most = ram + 1024 * 8 + sum(nvdimm.mib for nvdimm in self.nvdimms)
        persistence = "cpu" if self.eadr else "mem-ctrl"
        # QEMU 7.2's firmware rejects the tables when it has both.
        tables = "cxl=on" if self.cxl else "hmat=on"
        arguments = [
            "-machine",
            f"q35,nvdimm=on,nvdimm-persistence={persistence},{tables}",
            "-smp",
            f"{SOCKETS * self.cpus},sockets={SOCKETS},cores={self.cpus},threads=1",
            "-m",
            f"{ram}M,slots=8,maxmem={most}M",
        ]
        arguments += self._node_arguments() + self._claim_arguments()
        arguments += self._nvdimm_arguments(store) + self._cxl_arguments(store)
        return arguments + self._disk_arguments(store)

    def _node_arguments(self) -> list[str]:
        arguments = []
        for number, node in enumerate(self.nodes()):
            initiator = "" if self.cxl else f",initiator={node.socket}"
            memory = ""
            if node.kind != "pmem":
                arguments += ["-object", f"memory-backend-ram,id=ram{number},size={node.mib}M"]
                memory = f",memdev=ram{number}"
            arguments += ["-numa", f"node,nodeid={number}{initiator}{memory}"]
        for socket in range(SOCKETS):
            arguments += ["-numa", f"cpu,node-id={socket},socket-id={socket}"]
        return arguments

    def _claim_arguments(self) -> list[str]:
        arguments, nodes = [], self.nodes()
        for a in range(len(nodes)):
            for b, target in enumerate(nodes):
                if a != b:
                    arguments += ["-numa", f"dist,src={a},dst={b},val={self.distance(a, b)}"]
                if a < SOCKETS and not self.cxl:
                    claim = CLAIMS[target.kind, target.socket == a]
                    words = f"hmat-lb,initiator={a},target={b},hierarchy=memory,data-type=access-"
                    arguments += [
                        "-numa",
                        f"{words}latency,latency={claim.read_ns}",
                        "-numa",
                        f"{words}bandwidth,bandwidth={claim.mib_per_second}M",
                    ]
        return arguments

    def _nvdimm_arguments(self, store: Path) -> list[str]:
        arguments = []
        first = len(self.nodes()) - len(self.nvdimms)
        for i, nvdimm in enumerate(self.nvdimms):
            path = backing(store / f"nvdimm{i}.img", nvdimm.mib)
            arguments += [
                "-object",
                f"memory-backend-file,id=nv{i},share=on,align=128M,mem-path={path},size={nvdimm.mib}M",
                "-device",
                f"nvdimm,id=nvdimm{i},memdev=nv{i},node={first + i}",
            ]
        return arguments

    def _cxl_arguments(self, store: Path) -> list[str]:
        if not self.cxl:
            return []
        path, labels = backing(store / "cxl.img", self.cxl), backing(store / "cxl-lsa.img", 1)
        return [
            "-object",
            f"memory-backend-file,id=cxlmem,share=on,mem-path={path},size={self.cxl}M",
            "-object",
            f"memory-backend-file,id=cxllsa,share=on,mem-path={labels},size=1M",
            "-device",
            "pxb-cxl,id=cxlhost,bus=pcie.0,bus_nr=12",
            "-device",
            "cxl-rp,id=cxlport,bus=cxlhost,port=0,chassis=0,slot=2",
            # With one port alone Linux leaves the bridge's decoder unset, and QEMU 7.2 loses data.
            "-device",
            "cxl-rp,id=cxlspare,bus=cxlhost,port=1,chassis=0,slot=3",
            "-device",
            "cxl-type3,id=cxl0,bus=cxlport,memdev=cxlmem,lsa=cxllsa",
            "-M",
            "cxl-fmw.0.targets.0=cxlhost,cxl-fmw.0.size=4G",
        ]

    def _disk_arguments(self, store: Path) -> list[str]:
        arguments = []
        for i, mib in enumerate(self.disks):
            path = backing(store / f"disk{i}.img", mib)
            arguments += [
                "-drive",
                f"if=none,id=disk{i},format=raw,file={path},cache=writeback",
                "-device",
                f"virtio-blk-pci,bus=pcie.0,drive=disk{i}",
            ]
        return arguments


def backing(path: Path, mib: int) -> Path:
    """A sparse file of this size; one that exists already is kept as it is."""
    if not path.exists():
        with path.open("wb") as file:
            file.truncate(mib * MIB)
    return path
