# Tells kernels of builds apart, for the keys of what was measured of them: the texts of kernels, what writes and chooses them, the code of
# the CPU device, and how it is compiled. Included, it adds the step that writes generated/plugin/kernel_hash.h; run with -P, it is that step.
set(hashed kernels/*.wgsl plugin/gpu/families/*.cpp plugin/gpu/families/*.h plugin/cpu/*.cpp plugin/cpu/*.h host_fallback/*.cpp host_fallback/*.h)

if(NOT CMAKE_SCRIPT_MODE_FILE)
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

list(TRANSFORM hashed PREPEND ${ROOT}/)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${hashed})
list(SORT files)
set(all "${HOW}\n")
foreach(file ${files})
  file(SHA256 ${ROOT}/${file} hash)
  string(APPEND all "${file} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 32 hash)
file(WRITE ${OUT} "#pragma once\n\n#define DAYBREAK_KERNEL_HASH \"${hash}\"\n")
