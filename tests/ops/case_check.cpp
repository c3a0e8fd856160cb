#include "tests/ops/case_check.h"

#include <format>

#include "tests/ops/drift.h"
#include "tests/ops/node_run.h"
#include "tests/ops/oracle.h"
#include "tests/ops/tolerance.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

using dbk::HostTensor;

constexpr int64_t kLargestInBuffers = 1 << 20;  // bytes; beyond that host memory alone is enough

void require_expected(const std::vector<Expected>& expected, const std::vector<HostTensor>& actual,
                      const Tolerance& tolerance, std::map<DType, double>& used) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (actual[i].type.dtype == DBK_DTYPE_NONE) continue;
    if (!(expected[i].exact.type.shape == actual[i].type.shape))
      throw Failure(std::format("output {} has shape {}, not {}", i, to_string(actual[i].type.shape),
                                to_string(expected[i].exact.type.shape)));
    const Worst worst = compare(expected[i], actual[i], tolerance);
    double& most = used[actual[i].type.dtype];
    most = std::max(most, worst.share);
    if (worst.share <= 1) continue;
    throw Failure(std::format("output {} ({}) element {}: expected {:.9g}, actual {:.9g}, allowed error {:.3g}", i,
                              dbk::to_string(actual[i].type.dtype), worst.index, worst.expected, worst.actual,
                              worst.allowed));
  }
}

void require_same(const std::vector<HostTensor>& host, const std::vector<HostTensor>& buffers) {
  for (size_t i = 0; i < host.size(); ++i) {
    const auto at = first_difference(host[i], buffers[i]);
    if (at)
      throw Failure(std::format("output {} element {}: {:.9g} in host memory, {:.9g} in a buffer", i, *at,
                                element(host[i], *at), element(buffers[i], *at)));
  }
}

bool small(const std::vector<HostTensor>& inputs, const std::vector<HostTensor>& outputs) {
  int64_t bytes = 0;
  for (const auto* list : {&inputs, &outputs})
    for (const HostTensor& tensor : *list) bytes += static_cast<int64_t>(tensor.bytes.size());
  return bytes <= kLargestInBuffers;
}

}  // namespace

void BitDigest::add(std::span<const std::byte> bytes) {
  for (const std::byte b : bytes) value_ = (value_ ^ static_cast<uint64_t>(b)) * 0x100000001B3;
}

void BitDigest::add(const std::vector<HostTensor>& tensors) {
  for (const HostTensor& tensor : tensors) add(std::span<const std::byte>(tensor.bytes));
}

void BitDigest::add(const BitDigest& other) { add(std::as_bytes(std::span(&other.value_, 1))); }

Outcome check_case(const DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row,
                   const OpCase& test) {
  Outcome outcome;
  std::string kernel = "not compiled";
  try {
    const std::vector<HostTensor> inputs = make_inputs(row, test);
    NodeRun node(list, device, row, test, inputs);
    kernel = node.kernel();
    const std::vector<HostTensor> actual = node.in_host_memory();
    outcome.bits.add(actual);
    for (const HostTensor& result : actual) outcome.types.push_back(result.type);
    std::vector<Expected> expected = expect(row, test, inputs, node.kind());
    if (node.rounds_operands()) add_operand_rounding(row, test, inputs, expected);
    require_expected(expected, actual, tolerance_of(row, node.kind()), outcome.used);
    if (is_cpu(device) != (node.kind() == Kind::Cpu)) outcome.used.clear();
    if (small(inputs, actual)) require_same(actual, node.in_buffers());
  } catch (const std::exception& e) {
    if (const auto* refusal = dynamic_cast<const daybreak::Error*>(&e)) outcome.refused = refusal->status();
    outcome.problem = std::format("{} [{}] on {} ({}): {}; seed {}", row.name, test.name, device.name, kernel, e.what(),
                                  suite_seed());
  }
  return outcome;
}

}  // namespace ops
