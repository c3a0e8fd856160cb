#include "tests/ops/case_check.h"

#include <format>

#include "tests/ops/node_run.h"
#include "tests/ops/oracle.h"
#include "tests/ops/tolerance.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

using dbk::HostTensor;

constexpr int64_t kLargestInBuffers = 1 << 20;  // bytes; beyond that host memory alone is enough

Tolerance tolerance_of(const daybreak::DeviceInfo& device, const dbk::OpRow& row) {
  const bool signs = row.id == "neg" || row.id == "abs" || row.id == "cast";
  return {row.tolerance, !is_cpu(device), signs, moves(row)};
}

void require_expected(const std::vector<Expected>& expected, const std::vector<HostTensor>& actual,
                      const Tolerance& tolerance) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (actual[i].type.dtype == DBK_DTYPE_NONE) continue;
    if (!(expected[i].exact.type.shape == actual[i].type.shape))
      throw Failure(std::format("output {} has shape {}, not {}", i, to_string(actual[i].type.shape),
                                to_string(expected[i].exact.type.shape)));
    const auto wrong = compare(expected[i], actual[i], tolerance);
    if (!wrong) continue;
    throw Failure(std::format("output {} ({}) element {}: expected {:.9g}, actual {:.9g}, allowed error {:.3g}", i,
                              dbk::to_string(actual[i].type.dtype), wrong->index, wrong->expected, wrong->actual,
                              wrong->allowed));
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

std::string check_case(const DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row,
                       const OpCase& test) {
  std::string kernel = "not compiled";
  const auto text = [&](const char* what) {
    return std::format("{} [{}] on {} ({}): {}; seed {}", row.name, test.name, device.name, kernel, what, suite_seed());
  };
  try {
    const std::vector<HostTensor> inputs = make_inputs(row, test);
    const std::vector<Expected> expected = expect(row, test, inputs);
    NodeRun node(list, device, row, test, inputs);
    kernel = node.kernel();
    const std::vector<HostTensor> actual = node.in_host_memory();
    require_expected(expected, actual, tolerance_of(device, row));
    if (small(inputs, actual)) require_same(actual, node.in_buffers());
    return "";
  } catch (const std::exception& e) {
    return text(e.what());
  }
}

}  // namespace ops
