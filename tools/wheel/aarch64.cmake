# Builds for aarch64 on another machine, with Debian's cross compiler and what tools/wheel/aarch64.sh has made in build/aarch64:
# a root, an emulated Python, and libraries to link a portable wheel with.  RIZOMA_PYTHON: its version.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
get_filename_component(build ${CMAKE_CURRENT_LIST_DIR}/../../build/aarch64 ABSOLUTE)
set(CMAKE_SYSROOT ${build}/root)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
set(RIZOMA_WHEEL_ROOT ${build}/libraries)
set(CMAKE_FIND_ROOT_PATH ${RIZOMA_WHEEL_ROOT})  # whose libraries come first
include(${CMAKE_CURRENT_LIST_DIR}/portable.cmake)
# The interpreter that the build asks for suffixes and stubs is that of the target, emulated.
if(RIZOMA_PYTHON)
  set(Python_EXECUTABLE ${build}/env-${RIZOMA_PYTHON}/bin/python CACHE FILEPATH "" FORCE)
  # Headers of Debian's Python include one of the processor's by a path that would lead to all headers of its root.
  set(CMAKE_CXX_FLAGS_INIT "-isystem ${build}/python-${RIZOMA_PYTHON}/headers")
  set(Python_INCLUDE_DIR ${build}/python-${RIZOMA_PYTHON}/usr/include/python${RIZOMA_PYTHON} CACHE PATH "" FORCE)
endif()
