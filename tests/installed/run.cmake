# Installs the library of BUILD beside it and builds SOURCE/users_program.cpp against that, with CMake and with pkg-config.
set(root ${BUILD}/installed)
set(prefix ${root}/prefix)
file(REMOVE_RECURSE ${root})
file(MAKE_DIRECTORY ${root})
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --build ${BUILD} --target rizoma_library)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --component cpp)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${root}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${root}/build)
run(${root}/build/program)

file(GLOB_RECURSE found ${prefix}/rizoma.pc)
get_filename_component(packages ${found} DIRECTORY)
find_program(PKG_CONFIG pkg-config REQUIRED)
execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${packages} ${PKG_CONFIG} --cflags --libs rizoma
                OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(${COMPILER} -std=c++20 ${SOURCE}/users_program.cpp -o ${root}/with_pkg_config ${flags})
run(${root}/with_pkg_config)
message("both programs ran")
