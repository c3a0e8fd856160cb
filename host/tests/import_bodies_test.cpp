// ONNX import: bodies of control flow, functions, order of nodes, kinds of values.
#include "graph_rows.h"
#include "model_text.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

const std::string head = R"(<ir_version: 8, opset_import: ["" : 17, "l" : 1]>)";

void test_bodies_capture_outer_values() {
  Imported model(head + R"(
    g (bool c, float[N] x) => (float[N] y) {
      y = If(c) <then_branch = t () => (float[N] a) <float[1] k = {2}> { a = Mul(x, k) },
                 else_branch = e () => (float[N] x) { }>
    })");
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_UINT32(3, rows.graph().blocks.count);
  const auto then_block = static_cast<uint32_t>(rows.attr(rows.node(0), "then_branch").v.i);
  const auto else_block = static_cast<uint32_t>(rows.attr(rows.node(0), "else_branch").v.i);
  TEST_ASSERT_EQUAL_UINT32(rows.find("x"), rows.input(0, 0, then_block));
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_CONST, rows.value(rows.input(0, 1, then_block)).origin);
  TEST_ASSERT_EQUAL_UINT32(rows.find("x"), rows.refs(rows.block(else_block).outputs)[0]);
}

void test_body_inputs_state_only_their_element_type() {
  Imported model(head + R"(
    g (int64 n, bool c, float[1] x) => (float[N] y) {
      y = Loop(n, c, x) <body = b (int64 i, bool go, float[1] old) => (bool go, float[N] new) { new = Concat<axis = 0>(old, x) }>
    })");
  const GraphRows rows(model.result.graph);
  const dbk_value& carried = rows.value(rows.refs(rows.block(1).inputs)[2]);
  TEST_ASSERT_EQUAL_UINT32(DBK_F32, carried.dtype);
  TEST_ASSERT_EQUAL_UINT32(DBK_VALUE_UNKNOWN_RANK, carried.flags);
}

void test_equal_names_in_two_bodies() {
  std::string ones = "1";
  for (int i = 1; i < 300; ++i) ones += ", 1";
  const std::string weights = "float[300] w = {" + ones + "}";
  const std::string body = " () => (float[300] a) <" + weights + "> { a = Mul(x, w) }";
  Imported model(head + "g (bool c, float[300] x) => (float[300] y) { y = If(c) <then_branch = t" + body +
                 ", else_branch = e" + body + "> }");
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_PARAM, rows.value(rows.find("w")).origin);
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_PARAM, rows.value(rows.find("w#2")).origin);  // parameters need distinct names
}

void test_nodes_out_of_order() {
  Imported model(head + R"(
    g (bool c, float[N] x) => (float[N] y) {
      y = If(c) <then_branch = t () => (float[N] a) { a = Neg(late) }, else_branch = e () => (float[N] b) { b = Neg(x) }>
      late = Relu(early)
      early = Abs(x)
    })");
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_STRING("Abs", rows.op(0).c_str());
  TEST_ASSERT_EQUAL_STRING("Relu", rows.op(1).c_str());
  TEST_ASSERT_EQUAL_STRING("If", rows.op(2).c_str());
}

void test_cycles_are_named() {
  const std::string text = refusal(head + R"(
    g (float[N] x) => (float[N] y) {
      ok = Relu(x)
      [left] a = Add(ok, b)
      [right] b = Neg(a)
      y = Abs(b)
    })");
  expect_in(text, "a cycle");
  expect_in(text, "node 1 'left' (Add), node 2 'right' (Neg)");
  TEST_ASSERT_TRUE(text.find("Relu") == std::string::npos);
}

const std::string leaky = R"(
  <domain: "l", opset_import: ["" : 16]>
  leaky <alpha: float = 0.25, axis> (x, extra) => (y, same) {
    t = LeakyRelu <alpha: float = @alpha> (x)
    y = Softmax <axis: int = @axis> (t)
    same = Identity(t)
  })";

void test_functions_are_inlined() {
  Imported model(head + R"(
    g (float[N] x) => (float[N] y, float[N] z) {
      [one] y = l.leaky <axis = 0> (x)
      [two] z, = l.leaky <alpha = 0.5> (y)
    })" + leaky);
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_UINT32(6, rows.node_count());
  TEST_ASSERT_EQUAL_UINT32(16, rows.node(0).op_version);  // the function's opset, not the model's
  TEST_ASSERT_EQUAL_DOUBLE(0.25, rows.attr(rows.node(0), "alpha").v.f);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, rows.attr(rows.node(3), "alpha").v.f);
  TEST_ASSERT_EQUAL_INT64(0, rows.attr(rows.node(1), "axis").v.i);
  TEST_ASSERT_EQUAL_UINT32(0, rows.node(4).attrs.len);  // not given, no default
  TEST_ASSERT_EQUAL_UINT32(rows.find("y"), rows.input(3, 0));
  TEST_ASSERT_EQUAL_STRING("one/t", rows.name(rows.input(1, 0)).c_str());
  TEST_ASSERT_TRUE(rows.text(rows.node(0).name).starts_with("one/"));  // also of a node without a name
  TEST_ASSERT_TRUE(rows.text(rows.node(3).name).starts_with("two/"));
  TEST_ASSERT_EQUAL_STRING("z", rows.name(rows.refs(rows.block(0).outputs)[1]).c_str());
}

void test_functions_call_functions() {
  Imported model(head + R"(
    g (bool c, float[N] x) => (float[N] y) {
      y = If(c) <then_branch = t () => (float[N] a) { a = l.outer <slope = 0.125> (x) },
                 else_branch = e () => (float[N] b) { b = l.through(x) }>
    }
    <domain: "l", opset_import: ["" : 17, "l" : 1]>
    outer <slope> (x) => (y) { y = l.leaky <alpha: float = @slope> (x) }
    <domain: "l", opset_import: ["" : 17]>
    through (x) => (x) { }
    )" + leaky);
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_DOUBLE(0.125, rows.attr(rows.node(0, 1), "alpha").v.f);
  TEST_ASSERT_EQUAL_UINT32(rows.find("x"), rows.refs(rows.block(2).outputs)[0]);
}

void test_a_function_that_passes_through_to_an_output() {
  Imported model(head + R"(
    g (float[N] x) => (float[N] y) { y = l.through(x) }
    <domain: "l", opset_import: ["" : 17]>
    through (a) => (a) { })");
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_STRING("Identity", rows.op(0).c_str());
  TEST_ASSERT_EQUAL_STRING("y", rows.name(rows.refs(rows.block(0).outputs)[0]).c_str());
}

void test_functions_without_an_end() {
  expect_in(refusal(head + R"(
    g (float[N] x) => (float[N] y) { y = l.f(x) }
    <domain: "l", opset_import: ["l" : 1]> f (x) => (y) { y = l.h(x) }
    <domain: "l", opset_import: ["l" : 1]> h (x) => (y) { y = l.f(x) })"),
            "node 0 (f) > node 0 (h) > node 0 (f): function 'f' calls itself");
  std::string doubling = head + "g (float[N] x) => (float[N] y) { y = l.f39(x) }";
  doubling += R"(<domain: "l", opset_import: ["" : 17]> f0 (x) => (y) { y = Relu(x) })";
  for (int i = 1; i < 40; ++i) {
    const std::string inner = "l.f" + std::to_string(i - 1);
    doubling += R"(<domain: "l", opset_import: ["l" : 1]> f)" + std::to_string(i) + " (x) => (y) { t = " + inner +
                "(x) y = " + inner + "(t) }";
  }
  expect_in(refusal(doubling), "over 1000000 nodes after inlining functions");
}

// The plugin lacks what is not listed: ONNX's definition takes its place, attributes and their defaults included.
void test_ops_that_onnx_defines_by_others() {
  host::ImportOptions options;
  options.knows = [](const std::string& domain, const std::string& op) {
    return domain.empty() && op != "ThresholdedRelu" && op != "SoftmaxCrossEntropyLoss" &&
           op != "NegativeLogLikelihoodLoss";
  };
  Imported model(R"(<ir_version: 8, opset_import: ["" : 18]>
    g (float[2] x) => (float[2] y, float[2] z) {
      y = ThresholdedRelu(x)
      z = ThresholdedRelu <alpha = 3.0> (x)
    })",
                 options);
  const GraphRows rows(model.result.graph);
  std::vector<std::string> alphas;
  for (uint32_t i = 0; i < rows.node_count(); ++i) {
    TEST_ASSERT_TRUE(rows.op(i) != "ThresholdedRelu");
    if (rows.op(i) == "Constant" && rows.node(i).attrs.len == 1) {
      const dbk_attr& attr = GraphRows::row<dbk_attr>(rows.graph().attrs, rows.node(i).attrs.off);
      if (rows.text(attr.name) == "value_float") alphas.push_back(std::to_string(attr.v.f));
    }
  }
  TEST_ASSERT_TRUE((alphas == std::vector<std::string>{"1.000000", "3.000000"}));
  // A definition that depends on the types of its inputs, within another one.
  Imported loss(head + R"(
    g (float[3, 5] s, int64[3] l) => (float[] y) { y = SoftmaxCrossEntropyLoss <reduction = "sum"> (s, l) })",
                options);
  const GraphRows inlined(loss.result.graph);
  TEST_ASSERT_GREATER_THAN_UINT32(5, inlined.node_count());
  for (uint32_t i = 0; i < inlined.node_count(); ++i) TEST_ASSERT_TRUE(inlined.op(i).find("Loss") == std::string::npos);
  // What is defined by nothing else stays.
  options.knows = [](const std::string&, const std::string&) { return false; };
  Imported plain(head + "g (float[2] x) => (float[2] y) { y = Exp(x) }", options);
  TEST_ASSERT_EQUAL_STRING("Exp", GraphRows(plain.result.graph).op(0).c_str());
}

void test_kinds_of_values() {
  onnx::ModelProto proto = model_of(head + R"(
    g (bool c, float[N] x, int64 zero) => (float[N] y) {
      made = SequenceConstruct(x, x)
      both = If(c) <then_branch = t () => (float[N] made) { }, else_branch = e () => (float[N] made) { }>
      copy = Identity(both)
      maybe = Optional(copy)
      back = OptionalGetElement(maybe)
      y = SequenceAt(back, zero)
    })");
  Imported model(proto);
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_UINT32(DBK_KIND_SEQUENCE, rows.value(rows.find("made")).kind);
  TEST_ASSERT_EQUAL_UINT32(DBK_KIND_SEQUENCE, rows.value(rows.find("both")).kind);
  TEST_ASSERT_EQUAL_UINT32(DBK_KIND_SEQUENCE, rows.value(rows.find("copy")).kind);
  TEST_ASSERT_EQUAL_UINT32(DBK_KIND_OPTIONAL_SEQUENCE, rows.value(rows.find("maybe")).kind);
  TEST_ASSERT_EQUAL_UINT32(DBK_KIND_SEQUENCE, rows.value(rows.find("back")).kind);
  TEST_ASSERT_EQUAL_UINT32(DBK_KIND_TENSOR, rows.value(rows.find("y")).kind);
}

// A sequence of known length is its tensors; nodes that nothing else reads are not there.
void test_sequences_of_known_length() {
  host::ImportOptions options;
  options.knows = [](const std::string&, const std::string&) { return true; };
  Imported model(head + R"(
    g (float[2, 3] x, float[2, 3] y, int64[2] sizes) => (float[2, 3] at, float[2, 6] joined, float[2, 3, 3] stacked, int64 count, float[3] row, int64 parts)
    <int64 one = {1}> {
      none = SequenceEmpty()
      first = SequenceInsert(none, x)
      both = SequenceInsert(first, y, last)
      last = Constant <value_int = -1> ()
      three = SequenceInsert(both, x)
      at = SequenceAt(three, zero)
      zero = Constant <value = int64 {0}> ()
      two = SequenceErase(three, one)
      joined = ConcatFromSequence <axis = 1> (two)
      stacked = ConcatFromSequence <axis = -1, new_axis = 1> (three)
      count = SequenceLength(three)
      rows = SplitToSequence <keepdims = 0> (x)
      row = SequenceAt(rows, one)
      pieces = SplitToSequence <axis = 1> (x, sizes)
      parts = SequenceLength(pieces)
    })", options);
  const GraphRows rows(model.result.graph);
  for (uint32_t i = 0; i < rows.node_count(); ++i) TEST_ASSERT_TRUE(rows.op(i).find("Sequence") == std::string::npos);
  const auto makes = [&](const std::string& name) {
    for (uint32_t i = 0; i < rows.node_count(); ++i)
      if (rows.refs(rows.node(i).outputs)[0] == rows.find(name)) return i;
    TEST_FAIL_MESSAGE(name.c_str());
    return 0u;
  };
  const uint32_t x = rows.find("x"), y = rows.find("y");
  TEST_ASSERT_EQUAL_STRING("Identity", rows.op(makes("at")).c_str());
  TEST_ASSERT_EQUAL_UINT32(y, rows.input(makes("at"), 0));
  TEST_ASSERT_EQUAL_STRING("Concat", rows.op(makes("joined")).c_str());
  TEST_ASSERT_EQUAL_UINT32(y, rows.input(makes("joined"), 0));
  TEST_ASSERT_EQUAL_UINT32(x, rows.input(makes("joined"), 1));
  TEST_ASSERT_EQUAL_UINT32(3, rows.node(makes("stacked")).inputs.len);
  const auto constant = [&](const std::string& name) {
    return static_cast<int>(*rows.data(static_cast<uint32_t>(rows.attr(rows.node(makes(name)), "value").v.i)));
  };
  TEST_ASSERT_EQUAL_INT(3, constant("count"));
  TEST_ASSERT_EQUAL_INT(2, constant("parts"));
  expect_in(refusal(head + R"(g (float[2] x) => (float[2] y) <int64 two = {2}> {
    s = SequenceConstruct(x, x)
    y = SequenceAt(s, two) })"), "node 1 (SequenceAt): position 2 in a sequence of 2");
}

// A position that only the run tells: the sequence is what it was.
void test_sequences_that_stay() {
  Imported model(head + R"(
    g (bool c, float[2] x, int64 p) => (float[2] y) {
      s = SequenceConstruct(x, x)
      y = If(c) <then_branch = t () => (float[2] a) { a = SequenceAt(s, p) }, else_branch = e () => (float[2] b) { b = SequenceAt(s, p) }>
    })");
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_UINT32(1, rows.node_count());
  for (const uint32_t block : {1u, 2u}) {
    TEST_ASSERT_EQUAL_STRING("SequenceConstruct", rows.op(0, block).c_str());
    TEST_ASSERT_EQUAL_STRING("SequenceAt", rows.op(1, block).c_str());
    TEST_ASSERT_EQUAL_UINT32(DBK_KIND_SEQUENCE, rows.value(rows.input(1, 0, block)).kind);
  }
}

// Of optionals that a graph makes of tensors and asks at once nothing is left.
void test_optionals_of_tensors() {
  Imported model(R"(<ir_version: 8, opset_import: ["" : 18]>
    g (float[2] x) => (float[2] y, bool there, bool nothing) {
      o = Optional(x)
      e = OptionalGetElement(o)
      y = Neg(e)
      there = OptionalHasElement(o)
      nothing = OptionalHasElement()
    })");
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_UINT32(3, rows.node_count());
  TEST_ASSERT_EQUAL_UINT32(rows.find("x"), rows.input(0, 0));
  for (const uint32_t node : {1u, 2u}) {
    TEST_ASSERT_EQUAL_STRING("Constant", rows.op(node).c_str());
    const auto constant = static_cast<uint32_t>(rows.attr(rows.node(node), "value").v.i);
    TEST_ASSERT_EQUAL_INT(node == 1 ? 1 : 0, static_cast<int>(*rows.data(constant)));
  }
  Imported outside(R"(<ir_version: 8, opset_import: ["" : 18]>
    g (optional(float[2]) x) => (bool y) { y = OptionalHasElement(x) })");
  TEST_ASSERT_EQUAL_STRING("OptionalHasElement", GraphRows(outside.result.graph).op(0).c_str());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_bodies_capture_outer_values);
  RUN_TEST(test_body_inputs_state_only_their_element_type);
  RUN_TEST(test_equal_names_in_two_bodies);
  RUN_TEST(test_nodes_out_of_order);
  RUN_TEST(test_cycles_are_named);
  RUN_TEST(test_functions_are_inlined);
  RUN_TEST(test_functions_call_functions);
  RUN_TEST(test_a_function_that_passes_through_to_an_output);
  RUN_TEST(test_functions_without_an_end);
  RUN_TEST(test_ops_that_onnx_defines_by_others);
  RUN_TEST(test_kinds_of_values);
  RUN_TEST(test_sequences_of_known_length);
  RUN_TEST(test_sequences_that_stay);
  RUN_TEST(test_optionals_of_tensors);
  return UNITY_END();
}
