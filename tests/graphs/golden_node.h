// A case of tests/golden or of tests/host_ops/errors.txt as a graph of that node alone, with all operands as inputs of the graph.
#pragma once

#include "tests/graphs/graph_test.h"
#include "tests/host_ops/golden_case.h"
#include "tests/ops/guarded_tensor.h"

namespace graphs {

class GoldenNode {
 public:
  // Compiled and ready.
  GoldenNode(const dbk::test::GoldenCase& c, std::string_view name);
  void bind(daybreak::Run& run) const;  // all operands
  std::vector<dbk::HostTensor> run();
  const daybreak::Executable& exec() const { return exec_; }

 private:
  Value add_operand(GraphBuilder& graph, const dbk::test::GoldenTensor& t);

  std::vector<ops::GuardedTensor> sources_;
  daybreak::Executable exec_;
};

}  // namespace graphs
