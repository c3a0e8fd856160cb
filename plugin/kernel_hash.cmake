# Tells kernels of builds apart, for the keys of what was measured of them: a hash for GPUs, of the texts of kernels and what writes and chooses
# them; one for the CPU device, of its code; both of what shapes the graphs that are measured, what measures and what believes results, and how
# it is compiled. Included, it adds the step that writes generated/plugin/kernel_hash.h; run with -P, it is that step.
set(hashed_GPU kernels/*.wgsl plugin/gpu/families/*.cpp plugin/gpu/families/*.h plugin/gpu/families/*.inc)
set(hashed_CPU plugin/cpu/*.cpp plugin/cpu/*.h host_fallback/*.cpp host_fallback/*.h)
set(hashed_both kernels/*.inc plugin/graph/passes/*.cpp plugin/graph/passes/*.h)
foreach(unit plugin/graph/projection_form plugin/graph/node_alone plugin/autotune plugin/tries plugin/agreement plugin/sums plugin/probe
        plugin/probe_numbers plugin/sampling plugin/device_measurement)
  list(APPEND hashed_both ${unit}.cpp ${unit}.h)
endforeach()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(hashed ${hashed_GPU} ${hashed_CPU} ${hashed_both})
  list(TRANSFORM hashed PREPEND ${CMAKE_SOURCE_DIR}/)
  file(GLOB_RECURSE hashed_files CONFIGURE_DEPENDS ${hashed})
  set(kernel_hash ${CMAKE_CURRENT_BINARY_DIR}/generated/plugin/kernel_hash.h)
  string(JOIN " " how ${CMAKE_BUILD_TYPE} ${DAYBREAK_SANITIZER} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION})
  add_custom_command(OUTPUT ${kernel_hash}
    COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -DHOW=${how} -DOUT=${kernel_hash} -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${hashed_files} ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
  target_sources(daybreak_plugin PRIVATE ${kernel_hash})
  return()
endif()

set(header "#pragma once\n\n")
foreach(device GPU CPU)
  set(patterns ${hashed_${device}} ${hashed_both})
  list(TRANSFORM patterns PREPEND ${ROOT}/)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${patterns})
  list(SORT files)
  set(all "${HOW}\n")
  foreach(file ${files})
    file(SHA256 ${ROOT}/${file} hash)
    string(APPEND all "${file} ${hash}\n")
  endforeach()
  string(SHA256 hash "${all}")
  string(SUBSTRING ${hash} 0 32 hash)
  string(APPEND header "#define DAYBREAK_${device}_KERNEL_HASH \"${hash}\"\n")
endforeach()
file(WRITE ${OUT} "${header}")
