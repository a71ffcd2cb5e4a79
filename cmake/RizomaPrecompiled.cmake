# Headers that nearly every source includes, read once for all: for a build of everything without a cache of objects, such as
# that of CI and of the package.  Off by default, since a cache of objects serves better where there is one, and since a source that
# lacks an include of its own would compile.

option(RIZOMA_PRECOMPILED "Precompile the headers of the standard library" OFF)

set(RIZOMA_STANDARD_HEADERS
    <algorithm> <array> <atomic> <bit> <cmath> <cstdint> <cstring> <functional> <map> <memory> <mutex> <numeric>
    <optional> <span> <string> <string_view> <thread> <unordered_map> <unordered_set> <utility> <variant> <vector>)

# ccache keeps objects of such headers only with this sloppiness.
if(RIZOMA_PRECOMPILED AND RIZOMA_CCACHE AND NOT DEFINED ENV{CCACHE_SLOPPINESS})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${RIZOMA_CCACHE})
endif()

# rizoma_precompiled(TARGET HEADER... [PACKAGE HEADER...]): gives a target these headers beside those of the standard library, and
# those behind PACKAGE where sources are compiled together (RIZOMA_UNITY).  Targets of the same kind (library or program),
# compiled alike, that ask for the same headers share one file.
function(rizoma_precompiled target)
  if(NOT RIZOMA_PRECOMPILED)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "PACKAGE" ${ARGN})
  set(headers ${ARG_UNPARSED_ARGUMENTS})
  if(RIZOMA_UNITY)
    list(APPEND headers ${ARG_PACKAGE})
  endif()
  # What GCC 12 suspects of the standard library's own strings is not told of headers of the system, which these are no more.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds>)
  get_target_property(kind ${target} TYPE)
  string(MAKE_C_IDENTIFIER "RIZOMA_PRECOMPILED_BY_${kind}_${headers}" first)
  get_property(owner GLOBAL PROPERTY ${first})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${RIZOMA_STANDARD_HEADERS} ${headers})
    set_property(GLOBAL PROPERTY ${first} ${target})
  endif()
endfunction()
