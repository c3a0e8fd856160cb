# What changes the keys of figures and times: a file more in a tree of one file of each kind. Variables: SOURCE, the tree of Daybreak; SCRIPT.
# On a line: whether times of GPUs and figures of the CPU are other ones afterwards, and a file that is there in Daybreak, too.
set(cases
  "yes no  kernels/matmul/addend.wgsl" "yes no  plugin/gpu/families/matmul.cpp" "yes no  plugin/gpu/families/matmul_choice.h" "yes no  plugin/gpu/families/families.inc"
  "no  yes host_fallback/matmul.cpp" "no  yes host_fallback/matrix_product.h" "no  yes plugin/cpu/isa.cpp"
  "yes yes kernels/ops.inc" "yes yes kernels/fused_ops.inc" "yes yes plugin/graph/passes/projections.cpp" "yes yes plugin/graph/passes/passes.h"
  "yes yes plugin/graph/projection_form.cpp" "yes yes plugin/graph/node_alone.cpp" "yes yes plugin/autotune.cpp" "yes yes plugin/probe.cpp"
  "yes yes plugin/tries.cpp" "yes yes plugin/tries.h" "yes yes plugin/agreement.cpp" "yes yes plugin/agreement.h" "yes yes plugin/probe_numbers.cpp"
  "yes yes plugin/probe_numbers.h" "yes yes plugin/sums.cpp" "yes yes plugin/sums.h" "yes yes plugin/sampling.cpp" "yes yes plugin/sampling.h"
  "yes yes plugin/device_measurement.cpp" "no  no  plugin/report.cpp" "no  no  README.md")

set(root ${CMAKE_CURRENT_BINARY_DIR}/kernel_hash_root)
function(hashes result)
  execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${root} -DHOW=how -DOUT=${root}/hash.h -P ${SCRIPT} COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${root}/hash.h text)
  foreach(device GPU CPU)
    if(NOT text MATCHES "#define DAYBREAK_${device}_KERNEL_HASH \"([0-9a-f]+)\"")
      message(FATAL_ERROR "no hash for ${device}: ${text}")
    endif()
    set(${result}_${device} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endforeach()
endfunction()

file(REMOVE_RECURSE ${root})
file(MAKE_DIRECTORY ${root})
hashes(before)
foreach(case ${cases})
  string(REGEX MATCH "^([a-z]+) +([a-z]+) +(.+)$" matched "${case}")
  set(expected_GPU ${CMAKE_MATCH_1})
  set(expected_CPU ${CMAKE_MATCH_2})
  set(file ${CMAKE_MATCH_3})
  if(NOT EXISTS ${SOURCE}/${file})
    message(SEND_ERROR "${file} is not there any more")
  endif()
  foreach(content "some" "other")
    file(WRITE ${root}/${file} ${content})
    hashes(after)
    foreach(device GPU CPU)
      string(COMPARE NOTEQUAL ${before_${device}} ${after_${device}} changed)
      if((changed AND expected_${device} STREQUAL no) OR (NOT changed AND expected_${device} STREQUAL yes))
        message(SEND_ERROR "${file} changes what is measured of the ${device}: expected ${expected_${device}}")
      endif()
      set(before_${device} ${after_${device}})
    endforeach()
  endforeach()
endforeach()
