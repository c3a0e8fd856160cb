# Generates schemas.inc, the table behind schema.cpp, from the system's libonnx and our own schemas. The plugin itself does not link it.
# Result: DAYBREAK_SCHEMA_DIR, the directory to include, and the target daybreak_schemas to depend on.
find_package(ONNX REQUIRED)
find_package(Protobuf REQUIRED)  # libonnx's headers call into it

set(kernels ${CMAKE_CURRENT_LIST_DIR}/../../kernels)
add_executable(daybreak_schema_generator ${kernels}/schema_generator.cpp ${kernels}/own_schemas.cpp)
target_link_libraries(daybreak_schema_generator PRIVATE ONNX::onnx ONNX::onnx_proto protobuf::libprotobuf)
# A build tool: what libraries outside this project do under a sanitizer is not our business.
set_target_properties(daybreak_schema_generator PROPERTIES
  COMPILE_OPTIONS "" LINK_OPTIONS "" RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/schemas)

set(DAYBREAK_SCHEMA_DIR ${CMAKE_CURRENT_BINARY_DIR}/schemas CACHE INTERNAL "Where schemas.inc is generated")
add_custom_command(
  OUTPUT ${DAYBREAK_SCHEMA_DIR}/schemas.inc
  COMMAND daybreak_schema_generator ${DAYBREAK_SCHEMA_DIR}/schemas.inc
  DEPENDS daybreak_schema_generator
  COMMENT "Generating schemas.inc from libonnx")
add_custom_target(daybreak_schemas DEPENDS ${DAYBREAK_SCHEMA_DIR}/schemas.inc)
