// Schemas that libonnx does not have, written by hand: ops of com.microsoft that models use, what ONNX Runtime added to the default
// domain, and our own domain ai.daybreak. schema_generator.cpp puts them into the same tables as those of libonnx.
#pragma once

#include <onnx/defs/schema.h>

#include <map>
#include <string>
#include <vector>

struct OwnSchema {
  onnx::OpSchema schema;
  bool internal = false;  // made by passes of the compiler, not accepted from hosts
};

std::vector<OwnSchema> own_schemas();
// The newest version of each domain that only they have.
std::map<std::string, int> own_domains();
