# Sources of a folder that are compiled together: most of what a compiler does for a small source is to read headers and to
# instantiate their templates, so that eight cost little more than one.  For a build of everything, such as that of the package; off by
# default, since a change then costs a compilation of eight, and since a source that lacks an include of its own would compile.

option(RIZOMA_UNITY "Compile small sources of a folder together" OFF)

# rizoma_unity(MODULES...): not for modules whose loops are tuned, since the compiler inlines less in a large source.
function(rizoma_unity)
  if(NOT RIZOMA_UNITY)
    return()
  endif()
  foreach(module ${ARGN})
    set_target_properties(rizoma_${module} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources rizoma_${module} SOURCES)
    list(SORT sources)
    set(folder "")
    foreach(source ${sources})
      get_filename_component(at ${source} DIRECTORY)
      if(NOT at STREQUAL folder)
        set(folder ${at})
        set(count 0)
      endif()
      math(EXPR batch "${count} / 8")
      math(EXPR count "${count} + 1")
      file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${at})
      string(MAKE_C_IDENTIFIER "${name}_${batch}" group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
  endforeach()
endfunction()

# rizoma_apart(SOURCES...): sources of these modules that are compiled alone.
function(rizoma_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
