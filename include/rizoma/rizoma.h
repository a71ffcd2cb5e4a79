// Everything a program needs: #include <rizoma/rizoma.h>
#pragma once

#include <rizoma/algorithms.h>
#include <rizoma/detail/version.h>
#include <rizoma/edge_program.h>
#include <rizoma/engine.h>
#include <rizoma/export.h>
#include <rizoma/gather.h>
#include <rizoma/graph.h>
#include <rizoma/ingest.h>
#include <rizoma/intersection.h>
#include <rizoma/iteration.h>
#include <rizoma/level_sweep.h>
#include <rizoma/match.h>
#include <rizoma/ordered_sweep.h>
#include <rizoma/placement.h>
#include <rizoma/predicate.h>
#include <rizoma/process_vertices.h>
#include <rizoma/sample.h>
#include <rizoma/sweep.h>
#include <rizoma/topology.h>
#include <rizoma/vertex_state.h>
