// The shape of a serialised ONNX message, checked before protobuf parses it. Protobuf says only that a file is broken;
// this says where, and refuses what would cost memory out of proportion: nesting and numbers of fields are limited.
#pragma once

#include <cstddef>
#include <span>

namespace host {

enum class WireMessage { model, tensor };  // what the bytes claim to be

// Throws daybreak::Error (DATA_LOSS where the bytes are cut or corrupt, OUT_OF_RANGE beyond a limit) that names the
// byte and the field: "byte 1234, graph.node[7].attribute[0]: ...".
void check_wire(std::span<const std::byte> bytes, WireMessage message);

}  // namespace host
