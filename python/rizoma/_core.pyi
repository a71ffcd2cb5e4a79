"""Bindings of the C++ library; use the package rizoma."""

from collections.abc import Sequence
import enum
import os
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


from collections.abc import Callable, Iterator

def finish_calls(daemons: bool) -> None:
    """
    At exit: stops the calls of other threads, waits for them, and refuses those that come later.  `daemons`: there are threads that the interpreter abandons.
    """

def forget_calls() -> None:
    """
    In a forked child: the calls of the parent's other threads are not under way here.
    """

class IdKind(enum.Enum):
    dense = 0

    integer = 1

    string = 2

class WeightType(enum.Enum):
    none = 0

    int32 = 1

    float32 = 2

    float64 = 3

class ParallelEdges(enum.Enum):
    merge = 0

    keep = 1

class SelfLoops(enum.Enum):
    keep = 0

    drop = 1

class VertexOrder(enum.Enum):
    auto = 0

    given = 1

    degree = 2

    cyclic = 3

class Missing(enum.Enum):
    ignore = 0

    error = 1

class Parallel(enum.Enum):
    all = 0

    one = 1

class OpenMode(enum.Enum):
    open_or_create = 0

    open = 1

    create = 2

    read_only = 3

class Durability(enum.Enum):
    always = 0

    group = 1

    none = 2

class MediumChoice(enum.Enum):
    auto = 0

    files = 1

    dax = 2

class FileFormat(enum.Enum):
    auto = 0

    edge_list = 1

    csv = 2

    matrix_market = 3

    metis = 4

    graphalytics = 5

    gapbs = 6

    dimacs = 7

class GeneratorKind(enum.Enum):
    rmat = 0

    uniform = 1

    grid = 2

class GraphSchema:
    def __init__(self) -> None: ...

    @property
    def directed(self) -> bool: ...

    @directed.setter
    def directed(self, arg: bool, /) -> None: ...

    @property
    def weights(self) -> WeightType: ...

    @weights.setter
    def weights(self, arg: WeightType, /) -> None: ...

    @property
    def ids(self) -> IdKind: ...

    @ids.setter
    def ids(self, arg: IdKind, /) -> None: ...

    @property
    def in_edges(self) -> bool: ...

    @in_edges.setter
    def in_edges(self, arg: bool, /) -> None: ...

    @property
    def parallel_edges(self) -> ParallelEdges: ...

    @parallel_edges.setter
    def parallel_edges(self, arg: ParallelEdges, /) -> None: ...

    @property
    def self_loops(self) -> SelfLoops: ...

    @self_loops.setter
    def self_loops(self, arg: SelfLoops, /) -> None: ...

    @property
    def ids_fixed(self) -> bool: ...

    @ids_fixed.setter
    def ids_fixed(self, arg: bool, /) -> None: ...

    @property
    def rows(self) -> bool: ...

    @property
    def edge_columns(self) -> list[tuple[str, str, bool]]: ...

    @edge_columns.setter
    def edge_columns(self, arg: list[tuple[str, str, bool]], /) -> None: ...

    @property
    def vertex_columns(self) -> list[tuple[str, str, bool]]: ...

    @vertex_columns.setter
    def vertex_columns(self, arg: list[tuple[str, str, bool]], /) -> None: ...

class StoreFile:
    @property
    def name(self) -> str: ...

    @property
    def purpose(self) -> str: ...

    @property
    def bytes(self) -> int: ...

    @property
    def allocated(self) -> int: ...

class GraphInfo:
    @property
    def schema(self) -> GraphSchema: ...

    @property
    def order(self) -> VertexOrder: ...

    @property
    def num_vertices(self) -> int: ...

    @property
    def removed_vertices(self) -> int: ...

    @property
    def num_edges(self) -> int: ...

    @property
    def num_entries(self) -> int: ...

    @property
    def pending_entries(self) -> int: ...

    @property
    def num_sections(self) -> int: ...

    @property
    def section_bits(self) -> int: ...

    @property
    def format_version(self) -> int: ...

    @property
    def generation(self) -> int: ...

    @property
    def files(self) -> list[StoreFile]: ...

    @property
    def bytes_on_disk(self) -> int: ...

    @property
    def location(self) -> str: ...

    @property
    def durability(self) -> Durability: ...

    @property
    def log_bytes(self) -> int: ...

    @property
    def background_error(self) -> str: ...

    @property
    def locations(self) -> list[str]: ...

class ChangeCounts:
    """What a batch did; an undirected edge counts once."""

    @property
    def edges_removed(self) -> int: ...

    @property
    def edges_missing(self) -> int: ...

    @property
    def weights_set(self) -> int: ...

    @property
    def vertices_set(self) -> int: ...

    @property
    def vertices_removed(self) -> int: ...

    @property
    def vertices_missing(self) -> int: ...

class CheckFinding:
    @property
    def where(self) -> str: ...

    @property
    def what(self) -> str: ...

    @property
    def loss(self) -> str: ...

    def __repr__(self) -> str: ...

class CheckReport:
    @property
    def findings(self) -> list[CheckFinding]: ...

    @property
    def unproven(self) -> str: ...

    @property
    def bytes_checked(self) -> int: ...

    @property
    def sections_checked(self) -> int: ...

    def __repr__(self) -> str: ...

class RepairReport:
    @property
    def found(self) -> CheckReport: ...

    @property
    def restored(self) -> list[str]: ...

    @property
    def lost(self) -> list[str]: ...

    @property
    def unproven(self) -> str: ...

    @property
    def kept(self) -> str: ...

    @property
    def kept_locations(self) -> list[str]: ...

    def __repr__(self) -> str: ...

class Placement:
    """Where sections, threads and structures belong; see to_json."""

    @staticmethod
    def from_json(json: str) -> Placement: ...

    def to_json(self) -> str: ...

    @property
    def policy(self) -> str: ...

    @property
    def homes(self) -> int: ...

    @property
    def node_of_home(self) -> list[int]: ...

    @property
    def home_of_section(self) -> list[int]: ...

    @property
    def home_of_thread(self) -> list[int]: ...

    @property
    def processor_of_thread(self) -> list[int]: ...

    @property
    def tiers(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Traffic:
    """Work that an engine's threads took, by homes."""

    @property
    def homes(self) -> int: ...

    @property
    def num_sweeps(self) -> int: ...

    @property
    def local_share(self) -> float: ...

    @property
    def between(self) -> list[tuple[int, int, int, int]]:
        """
        (blocks, vertices, edges, bytes) at [home of the thread * homes + of the section].
        """

    @property
    def sweeps(self) -> list[tuple[tuple[int, int, int, int], tuple[int, int, int, int]]]:
        """(local, remote) of each of the first sweeps."""

def placement_policies() -> list[str]:
    """Names of the policies."""

def check_tiers(text: str) -> str:
    """The same choice of tiers in its shortest form."""

def topology_text() -> str:
    """A picture of this machine."""

def place_sections(policy: str, view: View, homes: int) -> list[int]:
    """The home of each section; empty: home 0."""

def section_loads(view: View) -> list[tuple[float, float]]:
    """(vertices, entries) of each section."""

def boundary_vertices(view: View, rank_of_section: Sequence[int], ranks: int) -> list[int]:
    """
    How many vertices of each rank the lists of each rank lead to, by rows of the rank that reads.
    """

def entries_between(view: View, home_of_section: Sequence[int], homes: int) -> list[int]:
    """Entries at [home of the source * homes + home of the target]."""

class Tier(enum.Enum):
    dram = 0

    persistent = 1

    cxl = 2

class TrafficFlow:
    """Accesses of threads of one home to memory of another."""

    def __init__(self, source: int, target: int, tier: Tier, sequential_read_bytes: float = 0.0, sequential_write_bytes: float = 0.0, random_reads: float = 0.0, random_writes: float = 0.0) -> None: ...

class Prediction:
    @property
    def seconds(self) -> float: ...

    @property
    def bottleneck(self) -> str: ...

    @property
    def home_seconds(self) -> list[float]: ...

class MachineDescription:
    @property
    def name(self) -> str: ...

    @property
    def sockets(self) -> int: ...

    @property
    def cores_per_socket(self) -> int: ...

    @property
    def threads_per_core(self) -> int: ...

    def has(self, tier: Tier) -> bool: ...

    @staticmethod
    def from_figures(name: str, sockets: int, cores: int, local: Sequence[float], remote: Sequence[float]) -> MachineDescription:
        """
        Of DRAM: latency (s), sequential read, write, random read, write (bytes/s).
        """

def machine_names() -> list[str]: ...

def find_machine(name: str) -> MachineDescription: ...

def predict(machine: MachineDescription, flows: Sequence[TrafficFlow], edges: Sequence[float], threads_per_home: int = 0) -> Prediction: ...

class RankTraffic:
    """What ranks have sent to each other."""

    @property
    def ranks(self) -> int: ...

    @property
    def rounds(self) -> int: ...

    @property
    def between(self) -> list[tuple[int, int]]: ...

class Ranks:
    """The processes of a run, of which this is one."""

    def __init__(self, module: str, library: str, communicator: int | None = None, patience: float = 5.0) -> None: ...

    @property
    def rank(self) -> int: ...

    @property
    def size(self) -> int: ...

    def name_of(self, rank: int) -> str: ...

    @property
    def answers_to(self) -> int: ...

    @answers_to.setter
    def answers_to(self, arg: int, /) -> None: ...

    @property
    def traffic(self) -> RankTraffic: ...

    def agree(self, what: str, value: str) -> None:
        """Raises unless all ranks give the same value."""

    def settle(self, error: str | None = None) -> None:
        """
        Ends a piece of work that all ranks do: raises if it went wrong on another rank.  `error`: what here.
        """

    def forget(self) -> None:
        """Lets go of the graph that was used last."""

    @property
    def well(self) -> bool:
        """False once a rank is lost."""

    def give_up(self, why: str) -> None:
        """Ends the run of all ranks."""

    def close(self) -> None:
        """Leaves the run, together with the others."""

class Engine:
    """Threads to run kernels on; one call at a time."""

    def __init__(self, threads: int = 0, placement: str = 'in_place', tiers: str = '', ranks: Ranks | None = None) -> None: ...

    def set_progress(self, callback: Callable[[str, float, float], object] | None) -> None:
        """
        Calls callback(phase, done, total) now and then during a run; None: nothing.
        """

    def tell(self, phase: str, done: float, total: float) -> None:
        """Tells the progress function; polls for Ctrl-C."""

    def abandon(self) -> None:
        """In a forked child: lets go of threads that are not there."""

    def placement(self, view: View) -> Placement:
        """Where the sections of this graph and the threads belong."""

    def take_traffic(self) -> Traffic:
        """Work since it was last asked for, by homes."""

    @property
    def policy(self) -> str: ...

    @property
    def tiers(self) -> str: ...

    @property
    def threads(self) -> int: ...

class EdgeBatch:
    """Edges by external id, on their way into a graph."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def add_column(self, before: int, name: str, type: str, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, valid: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """Appends values of the edges from number `before` on."""

    def pad_columns(self) -> None: ...

    def add_integers(self, sources: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], targets: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], weights: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)] | None = None) -> None:
        """Appends edges; integers of any width, strides allowed."""

    def add_strings(self, source_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], source_bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target_bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)] | None = None) -> None:
        """
        Appends edges between strings, given as the buffers of Arrow's large_string.
        """

class VertexBatch:
    """Vertices by external id, on their way into a graph."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def add_integers(self, ids: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]) -> None: ...

    def add_strings(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def add_column(self, before: int, name: str, type: str, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, valid: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """Appends values of the vertices from number `before` on."""

    def pad_columns(self) -> None: ...

class Batch:
    """
    Changes in order, for one commit; a step takes what it is given, without a copy.
    """

    def __init__(self) -> None: ...

    def add_edges(self, edges: EdgeBatch) -> None: ...

    def remove_edges(self, edges: EdgeBatch, missing: Missing, parallel: Parallel) -> None: ...

    def set_weights(self, edges: EdgeBatch, missing: Missing) -> None: ...

    def add_vertices(self, vertices: VertexBatch) -> None: ...

    def set_edges(self, edges: EdgeBatch, missing: Missing) -> None: ...

    def set_vertices(self, vertices: VertexBatch, missing: Missing) -> None: ...

    def remove_vertices(self, vertices: VertexBatch, missing: Missing) -> None: ...

class VertexChunks:
    def __iter__(self) -> object: ...

    def __next__(self) -> list[object]: ...

class EdgeChunks:
    def __iter__(self) -> object: ...

    def __next__(self) -> list[object]: ...

class NeighborChunks:
    def __iter__(self) -> object: ...

    def __next__(self) -> list[object]: ...

class Neighbors:
    """
    The neighbours of a vertex by external id, in the order of inner numbers.
    """

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[int | str]: ...

    def __contains__(self, v: object | None) -> bool: ...

    @overload
    def __getitem__(self, index: int) -> int | str: ...

    @overload
    def __getitem__(self, index: slice) -> list[int | str]: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...

    def weights(self) -> NDArray[numpy.float64]:
        """Of the edges to them, parallel to them."""

class View:
    """Sections ready for kernels."""

    @property
    def num_vertices(self) -> int: ...

    @property
    def num_live(self) -> int: ...

    @property
    def num_edges(self) -> int: ...

class Snapshot:
    @property
    def num_vertices(self) -> int: ...

    @property
    def num_live(self) -> int: ...

    def num_edges(self) -> int: ...

    @property
    def schema(self) -> GraphSchema: ...

    def sections(self) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint64]]:
        """By section: entries in the image, its bytes, changes that it lacks."""

    def view(self, engine: Engine) -> View:
        """The sections where they are stored."""

    def working_view(self, engine: Engine) -> View:
        """The sections where the engine's tiers say: a working copy, made once."""

    def find_integer(self, id: int) -> int | None: ...

    def find_string(self, id: str) -> int | None: ...

    def find_integers(self, ids: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]:
        """Inner numbers; 2^64 - 1 for an id that is not there."""

    def find_strings(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]: ...

    def ids_of_range(self, begin: int, end: int) -> NDArray[numpy.int64] | tuple[NDArray[numpy.uint64], NDArray[numpy.uint8]]:
        """External ids: an int64 array, or (offsets, bytes) of strings."""

    def ids_of(self, vertices: NDArray[numpy.uint64]) -> NDArray[numpy.int64] | tuple[NDArray[numpy.uint64], NDArray[numpy.uint8]]: ...

    def neighbors(self, v: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]: ...

    def in_neighbors(self, v: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]: ...

    def weights(self, v: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    def degree(self, v: int) -> int: ...

    def has_edge(self, u: int, v: int) -> bool: ...

    def has_vertex(self, v: object | None) -> bool: ...

    def degree_of(self, v: object | None) -> int | None:
        """None: no vertex."""

    def neighbors_of(self, v: object | None, in_edges: bool = False) -> Neighbors | None:
        """None: no vertex."""

    def has_edge_between(self, u: object | None, v: object | None) -> bool: ...

    def weights_between(self, u: object, v: object) -> list[float]:
        """Of all parallel edges; empty: no edge."""

    def iterate_vertices(self) -> Iterator[int | str]: ...

    def iterate_edges(self) -> Iterator[tuple[int | str, int | str]]: ...

class BulkLoad:
    """Fills an empty graph in bounded memory; thrown away unless finished."""

    def add(self, edges: EdgeBatch) -> None: ...

    def add_vertices(self, vertices: VertexBatch) -> None: ...

    @property
    def ids(self) -> IdKind: ...

    def finish(self, engine: Engine) -> None: ...

class Graph:
    def has_vertex(self, v: object | None) -> bool: ...

    def degree_of(self, v: object | None) -> int | None:
        """None: no vertex."""

    def neighbors_of(self, v: object | None, in_edges: bool = False) -> Neighbors | None:
        """None: no vertex."""

    def has_edge_between(self, u: object | None, v: object | None) -> bool: ...

    def weights_between(self, u: object, v: object) -> list[float]:
        """Of all parallel edges; empty: no edge."""

    def iterate_vertices(self) -> Iterator[int | str]: ...

    def iterate_edges(self) -> Iterator[tuple[int | str, int | str]]: ...

    @staticmethod
    def open(path: str | os.PathLike, mode: OpenMode, schema: GraphSchema, durability: Durability = Durability.always, group_delay_ms: int = 10, log_limit: int = 0, medium: MediumChoice = MediumChoice.auto, locations: Sequence[str | os.PathLike] = []) -> Graph: ...

    @staticmethod
    def in_memory(schema: GraphSchema) -> Graph: ...

    def apply(self, batch: Batch, engine: Engine | None = None) -> ChangeCounts:
        """
        One atomic change; with an engine it tells how far it is, and can be stopped.
        """

    def settle_ids(self, kind: IdKind, for_good: bool = False) -> IdKind: ...

    def bulk_load(self, order: VertexOrder, memory_limit: int = 0, ids: IdKind | None = None) -> BulkLoad: ...

    def snapshot(self) -> Snapshot: ...

    def info(self) -> GraphInfo: ...

    def flush(self) -> None: ...

    def checkpoint(self) -> None: ...

    def place(self, homes: Sequence[int]) -> None: ...

    def compact(self, engine: Engine, order: VertexOrder | None = None) -> None: ...

    def close(self) -> None: ...

    def discard(self) -> None: ...

    @staticmethod
    def check(path: str | os.PathLike, engine: Engine, locations: Sequence[str | os.PathLike] = []) -> CheckReport: ...

    @staticmethod
    def repair(path: str | os.PathLike, engine: Engine, locations: Sequence[str | os.PathLike] = []) -> RepairReport: ...

class ReadOptions:
    def __init__(self) -> None: ...

    @property
    def format(self) -> FileFormat: ...

    @format.setter
    def format(self, arg: FileFormat, /) -> None: ...

    @property
    def directed(self) -> bool | None: ...

    @directed.setter
    def directed(self, arg: bool | None, /) -> None: ...

    @property
    def ids(self) -> IdKind | None: ...

    @ids.setter
    def ids(self, arg: IdKind | None, /) -> None: ...

    @property
    def source_column(self) -> str: ...

    @source_column.setter
    def source_column(self, arg: str, /) -> None: ...

    @property
    def target_column(self) -> str: ...

    @target_column.setter
    def target_column(self, arg: str, /) -> None: ...

    @property
    def weight_column(self) -> str: ...

    @weight_column.setter
    def weight_column(self, arg: str, /) -> None: ...

    @property
    def weighted(self) -> bool: ...

    @weighted.setter
    def weighted(self, arg: bool, /) -> None: ...

    @property
    def delimiter(self) -> str: ...

    @delimiter.setter
    def delimiter(self, arg: str, /) -> None: ...

    @property
    def quote(self) -> str: ...

    @quote.setter
    def quote(self, arg: str, /) -> None: ...

    @property
    def header(self) -> bool | None: ...

    @header.setter
    def header(self, arg: bool | None, /) -> None: ...

    @property
    def null_text(self) -> str | None: ...

    @null_text.setter
    def null_text(self, arg: str | None, /) -> None: ...

    @property
    def bad_lines(self) -> int: ...

    @bad_lines.setter
    def bad_lines(self, arg: int, /) -> None: ...

    @property
    def leading_zeros(self) -> bool: ...

    @leading_zeros.setter
    def leading_zeros(self, arg: bool, /) -> None: ...

class FileSummary:
    @property
    def format(self) -> FileFormat: ...

    @property
    def directed(self) -> bool: ...

    @property
    def weights(self) -> WeightType: ...

    @property
    def ids(self) -> IdKind: ...

    @property
    def bytes(self) -> int: ...

    @property
    def num_vertices(self) -> int: ...

    @property
    def columns(self) -> list[str]: ...

    @property
    def source(self) -> int: ...

    @property
    def target(self) -> int: ...

    @property
    def weight(self) -> int | None: ...

    @property
    def delimiter(self) -> str: ...

    @property
    def header(self) -> bool: ...

    @property
    def notes(self) -> list[str]: ...

class LeftOut:
    """Lines of a file that were not read, as its options allow."""

    @property
    def bad_lines(self) -> int: ...

    @property
    def null_lines(self) -> int: ...

    @property
    def first_bad(self) -> str: ...

def inspect(file: str | os.PathLike, options: ReadOptions) -> FileSummary: ...

def load_file(load: BulkLoad, file: str | os.PathLike, options: ReadOptions, weighted: bool, engine: Engine) -> tuple[int, LeftOut]:
    """
    Reads a file into a bulk load; returns the number of edges read, and what was not.
    """

def gather_file(batch: EdgeBatch, file: str | os.PathLike[str], options: ReadOptions, weighted: bool, engine: Engine) -> tuple[NDArray[numpy.int64] | tuple[NDArray[numpy.uint64], NDArray[numpy.uint8]], LeftOut]:
    """
    Appends a file to a batch; returns the vertices it names apart, and what was not read.
    """

def generate(load: BulkLoad, kind: GeneratorKind, scale: int, edge_factor: int, seed: int, weighted: bool, engine: Engine) -> int: ...

def pagerank(engine: Engine, view: View, alpha: float, tol: float, max_iter: int, use_weights: bool, personalization: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, dangling: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> dict[str, Any]: ...

def bfs(engine: Engine, view: View, source: int, max_depth: int = -1) -> dict[str, Any]: ...

def connected_components(engine: Engine, view: View) -> dict[str, Any]: ...

def betweenness_centrality(engine: Engine, view: View, sources: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, normalized: bool = True) -> dict[str, Any]: ...

def sssp(engine: Engine, view: View, source: int, delta: float = 0.0) -> dict[str, Any]: ...

def triangle_count(engine: Engine, view: View) -> dict[str, Any]: ...

def triangle_total(engine: Engine, view: View) -> int: ...

def breadth_first_trees(engine: Engine, view: View, sources: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, together: bool = False, in_edges: bool = False, max_depth: int = -1, target: int = 18446744073709551615) -> dict[str, Any]:
    """
    Columns `order`, `distance`, `parent` of all searches; search i has [offsets[i], offsets[i+1]).  A source's parent is 2^64 - 1.
    """

def dijkstra_trees(engine: Engine, view: View, sources: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, together: bool = False, in_edges: bool = False, cutoff: float = float('inf'), target: int = 18446744073709551615) -> dict[str, Any]:
    """
    Columns `order`, `distance`, `parent` of all searches; search i has [offsets[i], offsets[i+1]).  A source's parent is 2^64 - 1.
    """

def bellman_ford(engine: Engine, view: View, sources: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, together: bool = False, in_edges: bool = False, heuristic: bool = True) -> dict[str, Any]:
    """
    Columns `order`, `distance`, `parent` of all searches; search i has [offsets[i], offsets[i+1]).  A source's parent is 2^64 - 1.
    """

def distance_sums(engine: Engine, view: View, sources: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, in_edges: bool = False) -> dict[str, Any]:
    """
    For each source: `reached` (with itself), `sum` of distances, `harmonic`, `eccentricity`.
    """

def path_dependencies(engine: Engine, view: View, sources: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, weighted: bool = False, edges: bool = False, endpoints: bool = False) -> dict[str, Any]:
    """Unscaled; `edges` by entry: an undirected edge has the sum of its two."""

def strong_components(engine: Engine, view: View) -> dict[str, Any]: ...

def depth_first_forest(engine: Engine, view: View, roots: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, in_edges: bool = False, depth_limit: int = -1) -> dict[str, Any]:
    """One tree for each root not visited before; `left` is the postorder."""

def biconnected_components(engine: Engine, view: View) -> dict[str, Any]: ...

def spanning_forest(engine: Engine, view: View, maximum: bool = False) -> dict[str, Any]:
    """
    Kruskal's edges in the order of choice; `entry`: number of the entry source -> target.
    """

def topological_order(engine: Engine, view: View) -> dict[str, Any]: ...

def core_numbers(engine: Engine, view: View) -> dict[str, Any]: ...

def weighted_triangles(engine: Engine, view: View, use_weights: bool = False) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """
    Of each vertex the sum, over its triangles, of the product of the cube roots of the weights.
    """

def edge_triangles(engine: Engine, view: View) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]:
    """Triangles of each entry of the out-lists."""

def k_truss(engine: Engine, view: View, k: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
    """1 for each entry of the out-lists that stays."""

def clustering(engine: Engine, view: View) -> dict[str, Any]:
    """Needs sorted lists."""

def square_clustering(engine: Engine, view: View) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

def local_efficiency(engine: Engine, view: View) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

def common_neighbors(engine: Engine, view: View, us: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], vs: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> dict[str, Any]:
    """
    Of each pair: `common` neighbours other than the two, `either` (size of the union), and two sums.
    """

def two_coloring(engine: Engine, view: View) -> dict[str, Any]: ...

def greedy_coloring(engine: Engine, view: View, order: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> dict[str, Any]: ...

def louvain(engine: Engine, view: View, resolution: float = 1.0, threshold: float = 1e-07, max_level: int = -1, seed: int = 1, use_weights: bool = True) -> dict[str, Any]: ...

def modularity(engine: Engine, view: View, labels: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], resolution: float = 1.0, use_weights: bool = True) -> float: ...

def multiply(engine: Engine, view: View, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], transpose: bool = False, use_weights: bool = False) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

class DistinctMatches(enum.Enum):
    none = 0

    edges = 1

    nodes = 2

class Match:
    """A pattern bound to a view, and planned."""

    @staticmethod
    def prepare(snapshot: Snapshot, view: View, pattern: str, where: str, distinct: DistinctMatches, anchors: Sequence[tuple[str, NDArray[numpy.uint64]]]) -> Match: ...

    @property
    def vertices(self) -> list[str]: ...

    @property
    def edges(self) -> list[str]: ...

    def count(self, engine: Engine) -> int: ...

    def count_by(self, engine: Engine, name: str) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]:
        """By inner number: the matches in which the name stands for the vertex."""

    def explain(self, engine: Engine, run: bool) -> str: ...

    def rows(self, engine: Engine, snapshot: Snapshot, view: View, vertices: Sequence[str], edges: Sequence[str], translate: bool) -> MatchRows:
        """
        Reads columns of vertices (external ids that are integers if `translate`, else inner numbers), then the weights of edges.
        """

class MatchRows:
    """The matches, some at a time."""

    def next(self, engine: Engine, most: int) -> list[tuple[int, list[NDArray[Any]]]]:
        """Parts of about `most` rows; none at the end."""

def random_walks(engine: Engine, view: View, starts: NDArray[numpy.uint64], steps: int, seed: int, in_edges: bool = False) -> NDArray[numpy.uint64]:
    """
    Rows of steps + 1 inner numbers, one behind the other; 2^64 - 1 once a walk has ended.
    """

def sample_neighbors(engine: Engine, view: View, vertices: NDArray[numpy.uint64], count: int, seed: int, in_edges: bool = False) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint64]]:
    """
    (offsets, neighbours): at most `count` different entries of each vertex's list.
    """

class EdgeScan:
    """The edges of a view as columns, by edge number."""

    @staticmethod
    def create(engine: Engine, view: View, names: Snapshot | None = None) -> EdgeScan:
        """
        `names` has the external ids; without it, or if they are strings, inner numbers are given.
        """

    def __len__(self) -> int: ...

    def read(self, engine: Engine, begin: int, end: int, sources: bool = True, targets: bool = True, weights: bool = True) -> tuple[NDArray[numpy.int64] | None, NDArray[numpy.int64] | None, NDArray[Any] | None]:
        """
        (sources, targets, weights) of edges [begin, end); None for what is not wanted or not there.
        """

def export_edges(snapshot: Snapshot, file: str | os.PathLike, format: FileFormat, engine: Engine) -> None: ...

def csr(engine: Engine, view: View, in_edges: bool = False) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """
    (offsets, targets, weights or None), read-only; without a copy if the graph is one section.
    """

def degrees(engine: Engine, view: View, in_edges: bool = False) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]: ...

def live_vertices(view: View) -> NDArray[numpy.uint64] | None:
    """Inner numbers in use, ascending; None if all are."""

def edge_values(snapshot: Snapshot, column: str, rows: NDArray[numpy.float64]) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint64] | None, NDArray[numpy.uint8] | None]:
    """
    (bytes, ends or None, valid or None) of the values in these rows, as a rows_view names them.
    """

def vertex_values(snapshot: Snapshot, column: str, vertices: NDArray[numpy.uint64]) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint64] | None, NDArray[numpy.uint8] | None]:
    """The same of these vertices."""

def weight_view(snapshot: Snapshot, engine: Engine, weight: str) -> View:
    """The sections with the values of an edge column as weights."""

def rows_view(snapshot: Snapshot, engine: Engine) -> View:
    """The sections with the number of each edge's row as weight."""

def add_column(graph: Graph, vertices: bool, name: str, type: str) -> None: ...

def drop_column(graph: Graph, vertices: bool, name: str) -> None: ...

def canonical_type(type: str) -> str:
    """The type's own name; an error lists those there are."""

def csr_view(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, directed: bool, in_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, in_targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, in_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> View:
    """
    A view over compressed sparse rows, without a copy.  Kernels that say so need sorted rows.
    """

def transpose_csr(offsets: NDArray[numpy.int64], targets: NDArray[numpy.uint32]) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.int64]]:
    """(offsets, sources ascending in each row, where each entry stood)."""

def read_csr(view: View, in_edges: bool = False) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.float64] | None]:
    """(offsets, targets, weights or None) of a whole view."""

class Fold(enum.Enum):
    sum = 0

    least = 1

    greatest = 2

def read_adjacency(adjacency: dict[Any, dict[Any, Any]], multigraph: bool) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.uint32] | None, bool] | None:
    """
    (offsets, targets, edges of an entry, nodes are 0..n-1); None: a row is no plain dict.
    """

def read_weights(adjacency: dict[Any, dict[Any, Any]], name: Any, default: Any, multigraph: bool, fold: Fold) -> tuple[NDArray[numpy.float64], bool] | None:
    """(values by entry, all are integers); None: a value is no plain number."""

def edges_are_bare(adjacency: dict[Any, dict[Any, Any]], targets: NDArray[numpy.uint32] | None) -> bool:
    """
    No edge of a simple graph has attributes; `targets` (of an undirected one): looks at each edge once.
    """

def paths_of_tree(nodes: list[Any], order: NDArray[numpy.uint64], parent: NDArray[numpy.uint64], reversed: bool = False) -> dict[Any, list[Any]]:
    """
    {node: path from the root of its tree}, in the given order; parents come first.
    """

def values_by_node(nodes: list[Any], order: NDArray[numpy.uint64], values: list[Any]) -> dict[Any, Any]: ...

def rows_of_dicts(nodes: list[Any], offsets: NDArray[numpy.int64], targets: NDArray[numpy.uint32], attributes: list[Any]) -> list[dict[Any, Any]]: ...

class MemoryKernel(enum.Enum):
    latency = 0

    sequential_read = 1

    sequential_write = 2

    random_read = 3

    random_write = 4

    copy = 5

    scale = 6

    add = 7

    triad = 8

class FileKernel(enum.Enum):
    read = 0

    copy_flush = 1

    copy_fsync = 2

    copy_msync = 3

    append_sync = 4

class CacheState(enum.Enum):
    warm = 0

    cold = 1

    bypassed = 2

class ProbeNode:
    @property
    def id(self) -> int: ...

    @property
    def processors(self) -> list[int]: ...

    @property
    def memory_bytes(self) -> int: ...

    @property
    def memory_kind(self) -> str: ...

class ProbeSamples:
    @property
    def seconds(self) -> list[float]: ...

    @property
    def units(self) -> int: ...

    @property
    def threads(self) -> int: ...

    @property
    def resident(self) -> float | None: ...

class ProbeDirectory:
    @property
    def file_system(self) -> str: ...

    @property
    def dax(self) -> bool: ...

    @property
    def direct_io(self) -> bool: ...

    @property
    def evictable(self) -> bool: ...

    @property
    def free_bytes(self) -> int: ...

def probe_nodes() -> list[ProbeNode]: ...

def probe_directory(directory: str | os.PathLike) -> ProbeDirectory: ...

def probe_memory(kernel: MemoryKernel, processor_node: int, memory_node: int, directory: str | os.PathLike, bytes: int, threads: int, samples: int, seconds: float) -> ProbeSamples: ...

def probe_file(kernel: FileKernel, source: str | os.PathLike, target: str | os.PathLike, cache: CacheState, file_bytes: int, block_bytes: int, drop_caches: bool, samples: int, seconds: float) -> ProbeSamples: ...

__version__: str
