// ONNX import: opsets before 7. ONNX's data (tests/onnx) has the results of opset 6; here is what becomes of single nodes.
#include "graph_rows.h"
#include "model_text.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

// A model of one node or more between x and y.
std::string model(int opset, const std::string& nodes) {
  return R"(<ir_version: 3, opset_import: ["" : )" + std::to_string(opset) + R"(]>
    g (float[2, 3, 4, 5] x, float[3, 4] b, float[3] c) => (float[2, 3, 4, 5] y) { )" +
         nodes + " }";
}

void test_attributes_of_old_are_dropped() {
  Imported sum(model(6, "y = Add <broadcast = 1> (x, x)"));
  const GraphRows rows(sum.result.graph);
  TEST_ASSERT_EQUAL_UINT32(1, rows.node_count());
  TEST_ASSERT_EQUAL_UINT32(7, rows.node(0).op_version);
  TEST_ASSERT_EQUAL_UINT32(0, rows.node(0).attrs.len);
  Imported gemm(model(6, "y = Gemm <broadcast = 1, alpha = 0.5, transB = 1> (x, b, c)"));
  const GraphRows kept(gemm.result.graph);
  TEST_ASSERT_EQUAL_UINT32(2, kept.node(0).attrs.len);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, kept.attr(kept.node(0), "alpha").v.f);
  Imported normal(model(1, "y = BatchNormalization <is_test = 1, consumed_inputs = [0, 0, 0, 1, 1], epsilon = 0.25> (x, c, c, c, c)"));
  const GraphRows one(normal.result.graph);
  TEST_ASSERT_EQUAL_UINT32(1, one.node(0).attrs.len);
  TEST_ASSERT_EQUAL_DOUBLE(0.25, one.attr(one.node(0), "epsilon").v.f);
}

void test_operands_are_aligned_at_their_axis() {
  Imported sum(model(6, "[sum] y = Add <broadcast = 1, axis = 1> (x, b)"));
  const GraphRows rows(sum.result.graph);
  const uint32_t last = rows.node_count() - 1;
  TEST_ASSERT_EQUAL_STRING("Add", rows.op(last).c_str());
  TEST_ASSERT_EQUAL_UINT32(0, rows.node(last).attrs.len);
  TEST_ASSERT_EQUAL_STRING("x", rows.name(rows.input(last, 0)).c_str());
  TEST_ASSERT_EQUAL_STRING("sum/placed", rows.name(rows.input(last, 1)).c_str());
  TEST_ASSERT_EQUAL_STRING("Reshape", rows.op(last - 1).c_str());
  Imported slope(model(6, "y = PRelu(x, c)"));  // a slope is one of a channel
  const GraphRows prelu(slope.result.graph);
  TEST_ASSERT_EQUAL_STRING("PRelu", prelu.op(prelu.node_count() - 1).c_str());
  TEST_ASSERT_EQUAL_STRING("Reshape", prelu.op(prelu.node_count() - 2).c_str());
}

void test_attributes_in_other_words() {
  Imported cast(model(5, R"(y = Cast <to = "DOUBLE"> (x))"));
  const GraphRows type(cast.result.graph);
  TEST_ASSERT_EQUAL_INT64(onnx::TensorProto::DOUBLE, type.attr(type.node(0), "to").v.i);
  Imported joined(model(3, "y = Concat(x, x)"));
  const GraphRows axis(joined.result.graph);
  TEST_ASSERT_EQUAL_INT64(1, axis.attr(axis.node(0), "axis").v.i);
  Imported padded(model(1, "y = Pad <paddings = [0, 0, 0, 0, 0, 0, 0, 1]> (x)"));
  const GraphRows pads(padded.result.graph);
  TEST_ASSERT_EQUAL_UINT32(8, pads.attr(pads.node(0), "pads").data.len);
  Imported scaled(model(6, R"(y = Upsample <height_scale = 2.0, width_scale = 3.0, mode = "bilinear"> (x))"));
  const GraphRows scales(scaled.result.graph);
  TEST_ASSERT_EQUAL_UINT32(2, scales.node(0).attrs.len);
  TEST_ASSERT_EQUAL_DOUBLE(3, scales.floats(scales.attr(scales.node(0), "scales").data)[3]);
  Imported selu(model(1, "y = Selu <consumed_inputs = [1]> (x)"));
  const GraphRows defaults(selu.result.graph);
  TEST_ASSERT_EQUAL_FLOAT(1.6732F, static_cast<float>(defaults.attr(defaults.node(0), "alpha").v.f));
  Imported reshaped(model(1, "y = Reshape <shape = [2, -1]> (x)"));
  const GraphRows shape(reshaped.result.graph);
  TEST_ASSERT_EQUAL_STRING("Constant", shape.op(0).c_str());
  TEST_ASSERT_EQUAL_STRING("Reshape", shape.op(1).c_str());
}

void test_what_is_refused() {
  expect_in(refusal(model(6, "y = Dropout <ratio = 0.5> (x)")),
            "node 0 (Dropout): opset 6 is older than 7: is_test is 0 by default, which means training");
  expect_in(refusal(model(6, "y = BatchNormalization <is_test = 0> (x, c, c, c, c)")), "is_test is 0, which means training");
  expect_in(refusal(model(6, "y = Mul <broadcast = 1, axis = -1> (x, c)")), "axis is -1");
  expect_in(refusal(model(5, "y = Tile(x, c, c)")), "opset 5 is older than 7: 3 inputs");
  expect_in(refusal(model(1, "y = LpPool <p = 2.0, kernel_shape = [1, 1]> (x)")), "attribute 'p' is of another type");
  expect_in(refusal(model(5, R"(y = Cast <to = "NOTHING"> (x))")), "to is 'NOTHING', which is no type");
  expect_in(refusal(model(6, "y = Tanh <broadcast = 1> (x) z = Sub <sideways = 1> (x, x)")), "attribute 'sideways'");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_attributes_of_old_are_dropped);
  RUN_TEST(test_operands_are_aligned_at_their_axis);
  RUN_TEST(test_attributes_in_other_words);
  RUN_TEST(test_what_is_refused);
  return UNITY_END();
}
