# Links a wheel for Linux with glibc 2.28 or later: static libraries, and the symbols of that glibc (decision 20).
# Included by CMake before the project (CMAKE_PROJECT_TOP_LEVEL_INCLUDES); RIZOMA_WHEEL_ROOT is what libraries.sh made.
set(ENV{PKG_CONFIG_LIBDIR} ${RIZOMA_WHEEL_ROOT}/lib/pkgconfig)
set(ZLIB_LIBRARY ${RIZOMA_WHEEL_ROOT}/lib/libz.a CACHE FILEPATH "" FORCE)
# In front of all libraries, so that every name of glibc is found in its version of 2.28.
set(CMAKE_MODULE_LINKER_FLAGS_INIT
    "${RIZOMA_WHEEL_ROOT}/lib/older_glibc.o -L${RIZOMA_WHEEL_ROOT}/lib -static-libstdc++ -Wl,--exclude-libs,ALL -Wl,--no-as-needed -lpthread -ldl -lm -lld")
