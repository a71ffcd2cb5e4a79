"""What other libraries and programs call arguments and options, and what this package has in their place."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches

__all__ = ["argument_meant", "argument_remedy"]

# By the name elsewhere: the names here, of which the first that a function or a command has is meant.
_ELSEWHERE = {
    "attributes attrs properties features columns": ("edge_column", "values", "data"),
    "comments commentchar": ("comment",),
    "concurrency cores cpus jobs nthreads ncpus njobs numthreads numworkers parallelism processes workers j": (
        "threads",
    ),
    "connection": ("mode",),
    "createusing isdirected digraph": ("directed",),
    "cutoff depth depthlimit hops maxdistance maxhops maxlength order radius": ("max_depth", "hops", "cutoff"),
    "d damping dampingfactor dampening dampeningfactor": ("alpha",),
    "datatype dtype": ("type",),
    "database db dir directory file filename filepath filepathorbuffer folder fname name store uri url": (
        "path",
        "into",
    ),
    "delim sep separator fieldterminator": ("delimiter",),
    "destination dest dst end endnode goal t targetnode to tonode target targetcol targetfield v": (
        "target",
        "target_column",
        "v",
    ),
    "distance distances edgeweight edgeweights weight cost costs w weightcol weightcolumn weightfield "
    "relationshipweightproperty": ("weight", "weight_column", "weights"),
    "weighted weights": ("weight", "weights", "weight_column"),
    "edgeattr edgeattrs edgeattribute edgeattributes edgecolumns edgeproperties edges": ("edges", "edge_column"),
    "epsilon eps tolerance threshold convergence error": ("tol",),
    "filter expr predicate query": ("where", "predicate", "text", "edges"),
    "fileformat filetype fmt kind type": ("format",),
    "fillna na navalues nan nullvalue nullvalues nullstr missingvalue": ("null",),
    "force": ("append",),
    "from fromnode origin root s v seednode source sourcecol sourcefield sourcenode src start startnode startvertex "
    "tail sources u node vertex": ("source", "source_column", "starts", "u", "v"),
    "g network": ("graph",),
    "gamma resolutionparameter": ("resolution",),
    "head k limit maxrows n nlargest nrows num number top": ("top", "limit", "n", "rows", "count"),
    "idtype nodetype vertextype": ("ids",),
    "initial initialmembership init membership partition partitions seedcommunities": ("start", "communities"),
    "infile input": ("files", "path"),
    "iterations iters maxiteration maxiterations niter niterations numiter numiterations": (
        "max_iter",
        "iterations",
        "max_levels",
    ),
    "labels labelcolumn nodelabels": ("label_column",),
    "length steps walklength": ("length",),
    "memory memorylimit maxmemory mem ram cache cachesize buffersize": ("memory_limit",),
    "metric objectivefunction partitiontype quality qualityfunction": ("objective",),
    "nsamples npivots numsamples pivots samples samplesize samplingsize": ("k",),
    "nodefile nodefiles vertexfile verticesfile vertexfiles nodesfile": ("vertex_files", "vertices"),
    "nodelist nbunch nodeids vertexids members": ("vertices", "ids", "starts", "seeds"),
    "node vertex nodes nodecolumns nodeattr nodeattrs nodeproperties vertexattrs vertexcolumns vertexproperties": (
        "vertices",
        "vertex_column",
        "ids",
        "starts",
    ),
    "node nodeid id vertexid idcolumn idcol indexcol": ("vertex", "v", "vertices"),
    "numneighbors neighbors fanout samplesize": ("count",),
    "numsteps": ("length",),
    "orderby sort sortby": ("order_by", "order"),
    "out outfile outpath output save saveto dest": ("output", "into", "path"),
    "params": ("parameters", "param"),
    "personalisation personalized reset resetvertices": ("personalization",),
    "prob p": ("probability",),
    "quotechar quoting": ("quote",),
    "randomseed randomstate rng rngseed state": ("seed",),
    "readonly create overwrite existok": ("mode",),
    "reltype relationshiptype edgetype": ("type_column",),
    "seeds startnodes startvertices sourcenodes": ("starts", "seeds", "source"),
    "skiprows skiplines onbadlines errorbadlines badlines ignoreerrors": ("skip_bad_lines",),
    "snapshot tag version asof timestamp": ("at",),
    "stdout": ("output",),
    "sync fsync durable journal": ("durability",),
    "timeout busytimeout wait": ("lock_timeout", "heartbeat_timeout"),
    "title": ("name",),
    "undirected": ("directed",),
    "usecols selectcolumns fields": ("select", "edge_column"),
    "verbose progressbar showprogress disp tqdm": ("progress",),
    "quiet q silent": ("no_progress", "progress"),
}

_AS_VIEW = "the graph decides: give graph.reverse() or graph.undirected(), which are views"
_FOR_ALL = "all vertices are computed: read some as in result[v], or give graph.subgraph(ids)"

# Where there is none: the names elsewhere, an argument that the function has (or its name), and what to do instead.
_INSTEAD = (
    ("readonly", "mode", 'mode="read_only" opens a graph for reading alone'),
    ("create existok", "mode", 'a graph that is not there is made; mode="create" refuses one that is'),
    ("overwrite", "mode", "remove the directory first (shutil.rmtree); open adds to a graph that is there"),
    (
        "overwrite force",
        "into",
        "remove the directory first (shutil.rmtree); append=True adds to a graph that is there",
    ),
    (
        "parsedates dates",
        "date_format",
        'name them: edges={"day": "date"} ("timestamp[s]"); date_format= says the form',
    ),
    ("undirected", "directed", "write directed=False, which is the default"),
    ("createusing", "directed", "write directed=True or directed=False"),
    ("multigraph multi multiedges", "parallel_edges", 'write parallel_edges="keep"'),
    ("nodetype idtype", "ids", 'write ids="integer" or ids="string"'),
    ("names columns", "rename", "name the ends by source= and target=, others by edges={...} or rename={...}"),
    ("schema columns nodeschema", "vertices", 'declare columns as in vertices={"age": "int64"}, edges={...}'),
    ("edgeattr data", "edges", 'edges={"NAME": "TYPE"} or edges="infer" keeps columns; weight= names the weights'),
    ("indexcol index", "rename", "a first column without a name is not read; leave it out"),
    ("usecols dtype dtypes converters", "rename", 'columns and types are given as in edges={"amount": "float64"}'),
    ("nodes nodefile nodesfile", "vertex_files", "files of vertices are given as vertex_files=[...]"),
    ("skiprows skiplines skipfooter", "comment", "lines to leave out begin with comment=; or drop them from the file"),
    ("nrows limit head", "vertex_files", "files are read whole; cut the file (head -n), or take where= of a table"),
    ("compression", "vertex_files", "the name says it (.gz, .zst); leave it out"),
    ("chunksize iterator lowmemory", "vertex_files", "files are read in parts anyway; memory_limit= bounds them"),
    ("path store output filename file files", "into", 'files come first, unnamed; into="x.rz" names the new graph'),
    ("sep separator delimiter compression index header format", "part", "the name decides: .csv, .tsv, .parquet"),
    ("sep separator delimiter index header format", "path", "the end of the name decides: .csv, .tsv, .parquet ..."),
    ("memory cache cachesize memorylimit", "mode", 'rizoma.config(memory_limit="4G") sets what algorithms take'),
    ("repair fix", "check", "rizoma.repair(path) repairs"),
    ("target to dest dst", "bfs", "shortest_path(graph, source, target) has one path; result[v], the level of one"),
    ("target to dest dst", "sssp", "shortest_path(graph, source, target, weight) has one path; result[v], a distance"),
    ("cutoff maxdepth depth", "sssp", "all distances are found; keep the near ones: result.to_numpy() <= cutoff"),
    ("dangling", "graph", "vertices without edges out share their rank by personalization; leave it out"),
    ("k", "shortest_path", "k_shortest_paths(graph, source, target, k) has several"),
    ("k", "core_number", "the core of k has the vertices of which result[v] >= k"),
    ("strong connection mode", "connected_components", "strongly_connected_components(graph) has the strong ones"),
    ("n num top seeds", "influence_maximization", "k= is how many seeds are chosen"),
    ("mode direction inedges", "hops", "it goes along edges: graph.reverse() or graph.undirected() has others"),
    ("mode direction", "neighbors", "in_neighbors(v) goes against the edges, and graph.undirected() both ways"),
    ("numwalks walks walkspernode", "starts", "give each start as often as walks are wanted: starts * 10"),
    ("n vertices nodes numvertices numnodes", "scale", "scale=10 makes 2**10 vertices"),
    ("edges m numedges p", "scale", "edge_factor=16 makes 16 edges for each vertex"),
    ("default values value fill data", "of", "make the column, then give its values by set_vertices or set_edges"),
    ("table kind on nodes", "of", 'write of="vertices" or of="edges"'),
    ("ascending desc descending reverse asc", "order_by", 'a minus sorts the other way, as in order_by("-a")'),
    ("directed undirected ids", "data", "the graph decides when it is made: rizoma.open(path, directed=True)"),
    ("loglevel logging debug", "memory_limit", "warnings tell what is guessed; progress=True shows more"),
)

_OF_ALGORITHMS = (
    ("top limit head k n nlargest", "the result has the largest by top(n)"),
    ("directed mode direction reverse reversed inedges orientation", _AS_VIEW),
    ("nodes vertices nodelist nbunch subset u node v vertex source", _FOR_ALL),
    ("method algorithm implementation solver engine", "there is one method, chosen for the graph; leave it out"),
    ("backend device gpu cuda accelerator", "it runs on the processors of this machine; leave it out"),
    ("normalized normalize", "scale the values: result.to_numpy() * factor"),
    ("endpoints", "the ends of paths are not counted; leave it out"),
    ("cutoff maxdepth", "paths of any length count; leave it out"),
    ("weight weights distance", "it counts edges alone; leave it out"),
)
"""The same for whatever takes a graph, after names that mean one of its arguments."""


def argument_meant(name: str, known: Collection[str]) -> str | None:
    """The argument of those known that a name means, elsewhere or with other letters; None: nothing resembles it."""
    return _elsewhere(name, known) or _near(name, known)


def argument_remedy(name: str, known: Collection[str], function: str = "") -> str:
    """What to do where a function has no such argument, to follow what says so."""
    plain = _plain(name)
    instead = (words for names, at, words in _INSTEAD if plain in names.split() and (at in known or at == function))
    for_all = (words for names, words in _OF_ALGORITHMS if plain in names.split() and "graph" in known)
    if (told := next(instead, None)) is not None:
        return told
    if (meant := _elsewhere(name, known)) is not None:
        return f"did you mean {meant}?"
    if (told := next(for_all, None)) is not None:
        return told
    meant = _near(name, known)
    return f"did you mean {meant}?" if meant else f"it takes {', '.join(known) or 'no arguments'}"


def _elsewhere(name: str, known: Collection[str]) -> str | None:
    """The argument of those known that is called so elsewhere."""
    plain = _plain(name)
    same = (each for each in known if _plain(each) == plain)
    groups = (meant for names, meant in _ELSEWHERE.items() if plain in names.split())
    return next(same, None) or next((each for meant in groups for each in meant if each in known), None)


def _near(name: str, known: Collection[str]) -> str | None:
    """The argument of those known that is part of the name, of which the name is a part, or that resembles it."""
    parts = re.split(r"[_-]", name.lower())
    part = [each for each in known if len(each) > _SHORT and (each in parts or parts == each.split("_")[-1:])]
    near = part or get_close_matches(name.lower(), [*known], 1, _ALIKE)
    return near[0] if near else None


def _plain(name: str) -> str:
    """The name without what sets damping_factor, damping-factor and dampingFactor apart."""
    return name.lower().replace("_", "").replace("-", "")


_ALIKE = 0.74  # of the letters of two names, where one is the other mistyped
_SHORT = 2  # letters of a name that is part of another by chance
