# The C++ library as users install it: one library, the public headers, and what CMake and pkg-config look for.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# rizoma_install(): the target rizoma_library, librizoma with the objects of all modules, and the component "cpp".
function(rizoma_install)
  get_property(modules GLOBAL PROPERTY RIZOMA_MODULES)
  set(objects "")
  foreach(module ${modules})
    list(APPEND objects $<TARGET_OBJECTS:rizoma_${module}>)
  endforeach()
  add_library(rizoma_library ${objects})
  set_target_properties(rizoma_library PROPERTIES OUTPUT_NAME rizoma EXPORT_NAME rizoma LINKER_LANGUAGE CXX
                        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} EXCLUDE_FROM_ALL ON)
  target_compile_features(rizoma_library INTERFACE cxx_std_20)
  target_include_directories(rizoma_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Its dependencies are found again where it is used; none of their headers is in a public one.
  target_link_libraries(rizoma_library PRIVATE Threads::Threads ZLIB::ZLIB PkgConfig::XXHASH PkgConfig::ZSTD
                        PkgConfig::HWLOC ${CMAKE_DL_LIBS})

  install(TARGETS rizoma_library EXPORT rizoma COMPONENT cpp EXCLUDE_FROM_ALL)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ ${PROJECT_BINARY_DIR}/include/
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT cpp EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.h"
          PATTERN lab EXCLUDE)
  set(place ${CMAKE_INSTALL_LIBDIR}/cmake/rizoma)
  install(EXPORT rizoma NAMESPACE rizoma:: FILE rizomaTargets.cmake DESTINATION ${place} COMPONENT cpp EXCLUDE_FROM_ALL)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rizomaConfig.cmake.in
                                ${PROJECT_BINARY_DIR}/rizomaConfig.cmake INSTALL_DESTINATION ${place})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/rizomaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/rizomaConfig.cmake ${PROJECT_BINARY_DIR}/rizomaConfigVersion.cmake
          DESTINATION ${place} COMPONENT cpp EXCLUDE_FROM_ALL)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/rizoma.pc.in ${PROJECT_BINARY_DIR}/rizoma.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/rizoma.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT cpp
          EXCLUDE_FROM_ALL)
endfunction()

# A program of tests/installed is built against the installed library, with CMake and with pkg-config; and compiled in a
# project that takes in this one.
function(rizoma_test_installed)
  add_test(NAME installed_library
           COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}/tests/installed
                   -DCOMPILER=${CMAKE_CXX_COMPILER} -DGENERATOR=${CMAKE_GENERATOR}
                   -P ${PROJECT_SOURCE_DIR}/tests/installed/run.cmake)
  set_tests_properties(installed_library PROPERTIES TIMEOUT 3000 PASS_REGULAR_EXPRESSION "both programs ran")
  add_test(NAME subproject
           COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}/tests/subproject
                   -DRIZOMA=${PROJECT_SOURCE_DIR} -DCOMPILER=${CMAKE_CXX_COMPILER} -DGENERATOR=${CMAKE_GENERATOR}
                   -P ${PROJECT_SOURCE_DIR}/tests/subproject/run.cmake)
  set_tests_properties(subproject PROPERTIES TIMEOUT 3000 PASS_REGULAR_EXPRESSION "the user's program compiled")
endfunction()
