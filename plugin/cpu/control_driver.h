// What If, Loop and Scan do around their bodies: which runs, how often, on which slices, and what becomes of its results. How a body is
// run is a function of the caller's. Where every type is known beforehand, repeated runs allocate nothing.
#pragma once

#include <functional>

#include "plugin/cpu/late_value.h"
#include "plugin/graph/control.h"

namespace dbk {

class ControlDriver {
 public:
  // Runs body number `body` (bodies_of) with its inputs, formal and captured; gives its outputs, valid until the call after the next.
  using RunBody = std::function<std::span<const LateValue>(size_t body, std::span<const LateValue> inputs)>;

  // `room` is for what the driver makes itself.
  ControlDriver(const Graph& graph, const Node& node, RunBody run_body, LateRoom room = {});

  // `inputs` are those of the node, captured ones included; results are as in compute_late.
  void run(std::span<const Tensor> inputs, const std::vector<bool>& wanted, std::span<LateValue> results);

 private:
  // An output with one slice per iteration: written to its place where that is known, else collected.
  struct Stack {
    size_t output = 0;
    int64_t axis = 0;
    bool reversed = false;
    TensorType slice;
    int64_t count = 0;
    std::shared_ptr<std::byte[]> collected;
    uint64_t capacity = 0;  // bytes of it
  };

  // Outputs of a Scan with a batch, made by the first slice that comes.
  struct Batch {
    int64_t count, longest;
    std::vector<LateValue> outputs;
  };

  void run_if();
  void run_loop();
  void run_scan();
  void run_batched_scan();
  std::span<const LateValue> run_body(size_t body, std::span<const LateValue* const> formals);
  int64_t scan_length() const;
  // One iteration: the body on the states, which become its results, and on slice `t` of `length` of each scanned tensor.
  std::span<const LateValue> scan_step(std::span<const Tensor> scanned, int64_t t, int64_t length);
  void start_stacks(size_t first_body_output, size_t first_output);
  void push(Stack& stack, const LateValue& slice);
  void collect(Stack& stack, const std::byte* slice, uint64_t bytes) const;  // behind those that came before
  void finish(Stack& stack);
  TensorType type_without_iterations(size_t output) const;  // of a slice per iteration, where there is none
  void put(Batch& batch, size_t output, const LateValue& value, int64_t b, int64_t t);  // t < 0: a state
  void finish(Batch& batch);
  void deliver(size_t output, const LateValue& value);
  LateValue target(size_t output, const TensorType& type) const;

  const Graph& graph_;
  const Node& node_;
  const std::vector<uint32_t> blocks_;
  const size_t formals_;
  const ScanForm form_;
  RunBody run_body_;
  const LateRoom room_;
  std::span<const Tensor> inputs_;
  const std::vector<bool>* wanted_ = nullptr;
  std::span<LateValue> results_;
  // Kept between runs, so that their memory is there.
  std::vector<LateValue> all_, states_, slices_;
  std::vector<const LateValue*> order_;
  std::vector<Stack> stacks_;
  LateValue iteration_, going_;
};

}  // namespace dbk
