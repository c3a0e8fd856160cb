// Kinds of outputs; see value_kinds.h.
#include "value_kinds.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "daybreak.h"
#include "opsets.h"
#include "value_type.h"

namespace host {
namespace {

bool makes_sequences(std::string_view op) {
  constexpr std::array<std::string_view, 6> ops{"SequenceConstruct", "SequenceEmpty",   "SequenceInsert",
                                                "SequenceErase",     "SplitToSequence", "SequenceMap"};
  return std::ranges::find(ops, op) != ops.end();
}

bool has_sequence(uint32_t kind) { return kind == DBK_KIND_SEQUENCE || kind == DBK_KIND_OPTIONAL_SEQUENCE; }

// Optional without an input has the type in an attribute.
bool optional_of_sequence(const onnx::NodeProto& node, uint32_t input) {
  const auto of_sequence = [](const onnx::AttributeProto& a) { return a.has_tp() && a.tp().has_sequence_type(); };
  return has_sequence(input) || std::ranges::any_of(node.attribute(), of_sequence);
}

// Loop's body gives the condition, then what is carried to the next round, then a slice of each stacked output.
Kinds loop_kinds(const Kinds& body, std::size_t carried) {
  Kinds result(body.begin() + std::min<std::ptrdiff_t>(1, std::ssize(body)), body.end());
  std::fill(result.begin() + std::min(std::ssize(result), static_cast<std::ptrdiff_t>(carried)), result.end(),
            DBK_KIND_TENSOR);
  return result;
}

}  // namespace

Kinds output_kinds(const onnx::NodeProto& node, const Kinds& inputs, const std::vector<Kinds>& bodies) {
  const auto count = static_cast<std::size_t>(node.output_size());
  const std::string& op = node.op_type();
  const uint32_t input = inputs.empty() ? DBK_KIND_TENSOR : inputs.front();
  Kinds result(count, DBK_KIND_TENSOR);
  if (!plain_domain(node.domain()).empty()) return result;
  if (makes_sequences(op)) {
    result.assign(count, DBK_KIND_SEQUENCE);
  } else if (op == "Optional") {
    result.assign(count, optional_of_sequence(node, input) ? DBK_KIND_OPTIONAL_SEQUENCE : DBK_KIND_OPTIONAL);
  } else if (op == "OptionalGetElement") {
    result.assign(count, has_sequence(input) ? DBK_KIND_SEQUENCE : DBK_KIND_TENSOR);
  } else if (op == "Identity") {
    result.assign(count, input);
  } else if (op == "If" && !bodies.empty()) {
    result = bodies.front();
  } else if (op == "Loop" && !bodies.empty()) {
    result = loop_kinds(bodies.front(), inputs.size() < 2 ? 0 : inputs.size() - 2);
  }
  result.resize(count, DBK_KIND_TENSOR);
  return result;
}

}  // namespace host
