// What ops refuse (tests/host_ops/errors.txt), asked through the ABI: on every device the status is the same and the text names the node,
// what is wrong with it and the number. Compile and bind answer what the op says; data that only a run meets is OUT_OF_RANGE.
#include <cstdio>

#include "tests/graphs/golden_node.h"

namespace {

using namespace graphs;
using dbk::test::GoldenCase;

constexpr const char* kNode = "the bad one";

std::string complaint(const GoldenCase& c) {
  dbk_status expected = c.fails;
  try {
    GoldenNode node(c, kNode);
    daybreak::Run run(node.exec());
    node.bind(run);
    expected = DBK_OUT_OF_RANGE;
    run.run();
    return "was accepted";
  } catch (const daybreak::Error& e) {
    const std::string text = e.what();
    if (e.status() != expected) return std::format("failed with {}, not {}: {}", daybreak::status_name(e.status()), daybreak::status_name(expected), text);
    for (const std::string& part : {std::string(kNode), c.message})
      if (text.find(part) == std::string::npos) return std::format("'{}' is not in: {}", part, text);
    return e.causes().empty() || e.causes()[0].node != 0u ? "does not tell the number of the node" : "";
  }
}

void every_case_is_refused_with_its_reason() {
  size_t wrong = 0;
  for (const GoldenCase& c : dbk::test::read_cases(DAYBREAK_ERROR_CASES)) {
    const std::string text = complaint(c);
    if (!text.empty()) std::printf("errors.txt:%d: %s %s\n", c.line, c.op.c_str(), text.c_str()), ++wrong;
  }
  require(wrong == 0, "{} cases, see above", wrong);
}

}  // namespace

int main(int argc, char** argv) { return run_tests(argc, argv, "bad_input_test.cpp", {GRAPH_TEST(every_case_is_refused_with_its_reason)}); }
