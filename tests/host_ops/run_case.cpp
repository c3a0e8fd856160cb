#include "tests/host_ops/run_case.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "host_fallback/number_block.h"
#include "plugin/graph/schema.h"

// Computations may not allocate: every operator new of the test program is counted.
static std::atomic<size_t> allocations = 0;
void* operator new(size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace dbk::test {

namespace {

constexpr size_t kGuard = 64;
constexpr std::byte kSentinel{0xA5};

// Storage of one output with a guard on either side.
struct Guarded {
  std::vector<std::byte> storage;
  Tensor tensor;
  explicit Guarded(const TensorType& type) {
    if (type.dtype == DBK_DTYPE_NONE) return;
    storage.assign(static_cast<size_t>(type.bytes()) + 2 * kGuard, kSentinel);
    tensor = {type, storage.data() + kGuard};
  }
  HostTensor take(const std::string& op) const {
    const auto body = storage.begin() + kGuard, tail = storage.end() - kGuard;
    for (auto at = storage.begin(); at != storage.end(); ++at)
      if ((at < body || at >= tail) && *at != kSentinel) throw std::runtime_error(op + " wrote outside its output");
    return {tensor.type, {body, tail}};
  }
};

std::vector<uint32_t> ids_of(const std::vector<HostTensor>& tensors) {
  std::vector<uint32_t> ids;
  for (size_t i = 0; i < tensors.size(); ++i)
    ids.push_back(tensors[i].type.dtype == DBK_DTYPE_NONE ? DBK_NONE : static_cast<uint32_t>(i));
  return ids;
}

const Schema& checked_schema(const OpName& op, uint32_t opset, Attributes& attrs,
                             const std::vector<HostTensor>& inputs, size_t outputs) {
  const Schema* schema = find_schema(op.domain, op.name, opset);
  if (!schema) throw std::runtime_error("no schema of " + op.name);
  check_arity(*schema, ids_of(inputs), std::vector<uint32_t>(outputs, 0));
  check_attributes_and_fill_defaults(*schema, attrs);
  std::vector<TensorType> types;
  for (const HostTensor& t : inputs) types.push_back(t.type);
  check_types(*schema, types);
  return *schema;
}

}  // namespace

OpName::OpName(const std::string& text) : name(text.substr(text.rfind('.') + 1)) {
  if (name.size() < text.size()) domain = text.substr(0, text.size() - name.size() - 1);
}

NodeRun run_row(const OpRow& row, NodeView node, const std::vector<HostTensor>& inputs, size_t outputs) {
  NodeRun run;
  run.op = &row;
  const std::string op(row.name);
  std::vector<Tensor> views(inputs.size());
  std::vector<InferInput> infer_inputs(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].type.dtype == DBK_DTYPE_NONE) continue;
    views[i] = inputs[i].view();
    infer_inputs[i] = {&inputs[i].type, run.op->family == "selection" || (run.op->host->shape_inputs >> i & 1) ? &views[i] : nullptr};
  }
  std::vector<TensorType> types(outputs);
  Infer infer(node, infer_inputs, types);
  run.op->host->infer(infer);
  std::vector<Guarded> guarded(types.begin(), types.end());
  std::vector<Tensor> results;
  for (const Guarded& g : guarded) results.push_back(g.tensor);
  std::vector<std::byte> work = work_memory(*row.host, node, views);
  Compute compute(node, views, results, work.data());
  const size_t before = allocations;
  run.op->host->compute(compute);
  if (allocations != before && run.op->family != "selection") throw std::runtime_error(op + " allocated in its computation");
  for (const Guarded& g : guarded) run.outputs.push_back(g.take(op));
  return run;
}

NodeRun run_node(const std::string& op, uint32_t opset, Attributes attrs, const std::vector<HostTensor>& inputs,
                 size_t outputs) {
  const OpName id(op);
  const OpRow* row = find_op(id.domain, id.name);
  if (!row) throw std::runtime_error("no row of " + op);
  const NodeView node{&attrs, checked_schema(id, opset, attrs, inputs, outputs).since};
  return run_row(*row, node, inputs, outputs);
}

double element(const Tensor& tensor, int64_t i) {
  double value = 0;
  read_block(tensor, i, 1, &value);
  return value;
}

}  // namespace dbk::test
