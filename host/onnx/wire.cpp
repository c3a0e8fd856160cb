// Walks protobuf's wire format along the messages of onnx.proto; see wire.h. Only the fields that are messages are
// listed: everything else is skipped by its length.
#include "wire.h"

#include <array>
#include <cstdint>
#include <format>
#include <string>

#include "daybreak_error.hpp"

namespace host {
namespace {

constexpr std::size_t deepest = 96;            // messages within messages; protobuf itself stops at 100
constexpr std::size_t most_fields = 20000000;  // with a length: each costs protobuf up to some 200 bytes

// One row per message of onnx.proto that has messages in it. `leaf`: has none.
enum Kind : uint8_t {
  leaf,
  model,
  graph,
  node,
  attribute,
  function,
  training,
  value_info,
  annotation,
  tensor,
  sparse_tensor,
  type,
  tensor_type,
  element_type,
  map_type,
  shape,
  device,
  sharding,
  sharded_dim,
};

struct Field {
  Kind parent;
  uint32_t number;
  const char* name;
  Kind child;
};

constexpr Field fields[] = {
    {model, 7, "graph", graph},
    {model, 8, "opset_import", leaf},
    {model, 14, "metadata_props", leaf},
    {model, 20, "training_info", training},
    {model, 25, "functions", function},
    {model, 26, "configuration", leaf},
    {graph, 1, "node", node},
    {graph, 5, "initializer", tensor},
    {graph, 11, "input", value_info},
    {graph, 12, "output", value_info},
    {graph, 13, "value_info", value_info},
    {graph, 14, "quantization_annotation", annotation},
    {graph, 15, "sparse_initializer", sparse_tensor},
    {graph, 16, "metadata_props", leaf},
    {node, 5, "attribute", attribute},
    {node, 9, "metadata_props", leaf},
    {node, 10, "device_configurations", device},
    {attribute, 5, "t", tensor},
    {attribute, 6, "g", graph},
    {attribute, 10, "tensors", tensor},
    {attribute, 11, "graphs", graph},
    {attribute, 14, "tp", type},
    {attribute, 15, "type_protos", type},
    {attribute, 22, "sparse_tensor", sparse_tensor},
    {attribute, 23, "sparse_tensors", sparse_tensor},
    {function, 7, "node", node},
    {function, 9, "opset_import", leaf},
    {function, 11, "attribute_proto", attribute},
    {function, 12, "value_info", value_info},
    {function, 14, "metadata_props", leaf},
    {training, 1, "initialization", graph},
    {training, 2, "algorithm", graph},
    {training, 3, "initialization_binding", leaf},
    {training, 4, "update_binding", leaf},
    {value_info, 2, "type", type},
    {value_info, 4, "metadata_props", leaf},
    {annotation, 2, "quant_parameter_tensor_names", leaf},
    {tensor, 3, "segment", leaf},
    {tensor, 13, "external_data", leaf},
    {tensor, 16, "metadata_props", leaf},
    {sparse_tensor, 1, "values", tensor},
    {sparse_tensor, 2, "indices", tensor},
    {type, 1, "tensor_type", tensor_type},
    {type, 4, "sequence_type", element_type},
    {type, 5, "map_type", map_type},
    {type, 8, "sparse_tensor_type", tensor_type},
    {type, 9, "optional_type", element_type},
    {tensor_type, 2, "shape", shape},
    {element_type, 1, "elem_type", type},
    {map_type, 2, "value_type", type},
    {shape, 1, "dim", leaf},
    {device, 2, "sharding_spec", sharding},
    {sharding, 3, "index_to_device_group_map", leaf},
    {sharding, 4, "sharded_dim", sharded_dim},
    {sharded_dim, 2, "simple_sharding", leaf},
};

const Field* find_field(Kind parent, uint32_t number) {
  for (const Field& field : fields) {
    if (field.parent == parent && field.number == number) return &field;
  }
  return nullptr;
}

class Walker {
 public:
  explicit Walker(std::span<const std::byte> bytes) : bytes_(bytes) {}

  void message(Kind kind, std::size_t end) {
    std::array<uint32_t, 32> seen{};  // per field number, for the index in the path
    while (at_ < end) {
      const uint64_t tag = varint(end);
      const uint64_t number = tag >> 3;
      if (number == 0 || number > 0x1FFFFFFF) fail(DBK_DATA_LOSS, std::format("{} is no field number", number));
      switch (tag & 7u) {
        case 0:
          varint(end);
          break;
        case 1:
          skip(8, end);
          break;
        case 2:
          with_length(kind, static_cast<uint32_t>(number), seen, end);
          break;
        case 5:
          skip(4, end);
          break;
        default:
          fail(DBK_DATA_LOSS, std::format("field {} is of unknown wire type {}", number, tag & 7u));
      }
    }
  }

 private:
  struct Step {
    const char* name;
    uint32_t index;
  };

  void with_length(Kind kind, uint32_t number, std::array<uint32_t, 32>& seen, std::size_t end) {
    const uint64_t length = varint(end);
    const Field* field = find_field(kind, number);
    if (length > end - at_) {
      fail(DBK_DATA_LOSS, std::format("{} of {} bytes runs past the end, which is {} bytes away",
                                      field ? field->name : std::format("field {}", number), length, end - at_));
    }
    if (++fields_ > most_fields) fail(DBK_OUT_OF_RANGE, std::format("over {} fields", most_fields));
    if (!field) return skip(length, end);
    if (depth_ == path_.size()) fail(DBK_OUT_OF_RANGE, std::format("messages nested over {} deep", path_.size()));
    path_[depth_++] = {field->name, seen[number]++};
    message(field->child, at_ + length);
    --depth_;
  }

  uint64_t varint(std::size_t end) {
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (at_ == end) fail(DBK_DATA_LOSS, "a number is cut off");
      const auto byte = static_cast<uint64_t>(bytes_[at_++]);
      if (shift < 64) result |= (byte & 0x7Fu) << shift;
      if (byte < 0x80) return result;
    }
    fail(DBK_DATA_LOSS, "a number of over 10 bytes");
  }

  void skip(uint64_t count, std::size_t end) {
    if (count > end - at_) fail(DBK_DATA_LOSS, "a number is cut off");
    at_ += static_cast<std::size_t>(count);
  }

  [[noreturn]] void fail(dbk_status status, const std::string& what) const {
    std::string place = std::format("byte {}", at_);
    for (std::size_t i = 0; i < depth_; ++i) {
      place += std::format("{}{}[{}]", i == 0 ? ", " : ".", path_[i].name, path_[i].index);
    }
    throw daybreak::Error(status, place + ": " + what);
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0, depth_ = 0, fields_ = 0;
  std::array<Step, deepest> path_{};
};

}  // namespace

void check_wire(std::span<const std::byte> bytes, WireMessage message) {
  Walker(bytes).message(message == WireMessage::model ? model : tensor, bytes.size());
}

}  // namespace host
