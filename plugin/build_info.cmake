# Writes generated/plugin/build_info.h: what dbk_info says about this build. Every part that is unknown is left out.
set(parts)

# The tree may belong to another user. A new commit makes CMake look again.
set(git git -c safe.directory=* -C ${CMAKE_SOURCE_DIR})
execute_process(COMMAND ${git} rev-parse --short HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(commit)
  list(APPEND parts "commit ${commit}")
  execute_process(COMMAND ${git} rev-parse --path-format=absolute --git-path logs/HEAD OUTPUT_VARIABLE log OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(EXISTS "${log}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
  endif()
endif()

list(APPEND parts "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")

# Dawn has no releases, and its CMake package calls itself 0.0.0; Debian's package names the commit.
if(DAYBREAK_GPU)
  execute_process(COMMAND dpkg-query -Wf "\${Version}" libwebgpu-dawn-dev OUTPUT_VARIABLE dawn ERROR_QUIET)
  if(NOT dawn)
    set(dawn ${Dawn_VERSION})
  endif()
  list(APPEND parts "Dawn ${dawn}")
endif()

list(APPEND parts "oneDNN ${dnnl_VERSION}")
list(JOIN parts ", " BUILD)
configure_file(build_info.h.in generated/plugin/build_info.h)
