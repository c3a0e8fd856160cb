// Every golden vector against the host op, in each float type it stands for; and every entry of errors.txt.
#include <unity.h>

#include <cmath>
#include <cstdio>
#include <set>

#include "host_fallback/number_block.h"
#include "plugin/graph/schema.h"
#include "tests/host_ops/golden_case.h"
#include "tests/host_ops/run_case.h"
#include "tests/ops/float_type.h"

using namespace dbk;
using namespace dbk::test;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

bool same_bytes(const HostTensor& a, const HostTensor& b) { return a.bytes == b.bytes; }

// Floats below 16 bits have a NaN or two, of any sign.
bool same_numbers(const HostTensor& a, const HostTensor& b) {
  for (int64_t i = 0; i < a.type.count(); ++i) {
    const double x = element(a.view(), i), y = element(b.view(), i);
    if (x != x && y != y) continue;
    if (x != y || std::signbit(x) != std::signbit(y)) return false;
  }
  return true;
}

// NumPy's own roundings, in epsilons of f64; those of x / sqrt(2) are the largest, magnified by erfc.
constexpr double kNumpy = 32;

// Empty, or what differs. The result may be off by the row's tolerance in epsilons of the type that computes, its
// rounding to 16 bits, and what NumPy lost. Sums need no more: the vectors' numbers are so short that their sums are
// exact in f32.
std::string difference(const OpRow& op, const GoldenTensor& want, const HostTensor& got, DType real, double scale) {
  const DType dtype = want.real() ? real : want.dtype;
  if (got.type.dtype != dtype || got.type.shape != want.shape)
    return std::format("is {} {}, not {} {}", to_string(got.type.dtype), to_string(got.type.shape), to_string(dtype),
                       to_string(want.shape));
  if (contains(SMALL_FLOATS, dtype)) return same_numbers(got, materialize(want, real)) ? "" : "differs in its numbers";
  if (!contains(FLOATS, dtype)) return same_bytes(got, materialize(want, real)) ? "" : "differs in its integers";
  for (int64_t i = 0; i < want.shape.count(); ++i) {
    const double expected = want.values[static_cast<size_t>(i)].real, actual = element(got.view(), i);
    if (actual == expected || (expected != expected && actual != actual)) continue;  // Unity makes isnan a macro
    const ops::FloatType type = ops::float_type(dtype);
    const double size = std::max(std::fabs(expected), scale);
    const double error = (op.tolerance.cpu * type.epsilon + kNumpy * 0x1p-52) * size;
    const double allowed = error + type.rounding(std::fabs(expected) + error);
    if (!(std::fabs(actual - expected) <= allowed))
      return std::format("[{}] is {}, expected {}, allowed error {}", i, actual, expected, allowed);
  }
  return {};
}

std::string check(const GoldenCase& c, DType real) {
  std::vector<HostTensor> inputs;
  for (const GoldenTensor& t : c.inputs) inputs.push_back(t.absent ? HostTensor{} : materialize(t, real));
  try {
    const NodeRun run = run_node(c.op, c.opset, c.attrs, inputs, c.fails ? 1 : c.outputs.size());
    if (c.fails) return "was accepted";
    for (size_t i = 0; i < c.outputs.size(); ++i) {
      const std::string text = difference(*run.op, c.outputs[i], run.outputs[i], real, c.scale);
      if (!text.empty()) return std::format("output {} {}", i, text);
    }
  } catch (const Error& e) {
    if (c.fails == e.causes().front().code && std::string_view(e.what()).find(c.message) != std::string_view::npos)
      return {};
    return std::format("threw {} '{}'", e.causes().front().code, e.what());
  } catch (const Infer::Unknown& unknown) {
    return std::format("needs the elements of input {}, which shape_inputs does not name", unknown.input);
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

// Older versions lack bf16, and some ops f16 or f64; f32 is always there.
bool has_type(const GoldenCase& c, DType real) {
  if (real == DBK_F32) return true;
  const OpName op(c.op);
  const auto formals = find_schema(op.domain, op.name, c.opset)->inputs();
  for (size_t i = 0; i < c.inputs.size(); ++i)
    if (c.inputs[i].real() && !contains(type_of(formals[std::min(i, formals.size() - 1)]).tensors, real)) return false;
  return true;
}

void run_file(const char* path) {
  int failures = 0;
  for (const GoldenCase& c : read_cases(path)) {
    const std::vector<DType> reals =
        c.real() ? std::vector<DType>{DBK_F64, DBK_F32, DBK_F16, DBK_BF16} : std::vector<DType>{DBK_F32};
    for (DType real : reals) {
      const std::string text = has_type(c, real) ? check(c, real) : "";
      if (text.empty()) continue;
      std::printf("%s:%d: %s in %s: %s\n", path, c.line, c.op.c_str(), to_string(real), text.c_str());
      ++failures;
    }
  }
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, failures, "cases failed, see above");
}

void test_vectors() { run_file(DAYBREAK_GOLDEN_VECTORS); }
void test_vectors_of_onnx_runtime() { run_file(DAYBREAK_RUNTIME_VECTORS); }
void test_errors() { run_file(DAYBREAK_ERROR_CASES); }

// A row without a single vector would be an untested op.
void test_every_row_has_vectors() {
  std::set<std::string, std::less<>> seen;
  for (const char* path : {DAYBREAK_GOLDEN_VECTORS, DAYBREAK_RUNTIME_VECTORS})
    for (const GoldenCase& c : read_cases(path)) seen.insert(c.op);
  for (const OpRow& row : all_ops())
    TEST_ASSERT_TRUE_MESSAGE(seen.contains(std::string(row.domain) + (row.domain.empty() ? "" : ".") + std::string(row.name)),
                             std::string(row.name).c_str());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_vectors);
  RUN_TEST(test_vectors_of_onnx_runtime);
  RUN_TEST(test_errors);
  RUN_TEST(test_every_row_has_vectors);
  return UNITY_END();
}
