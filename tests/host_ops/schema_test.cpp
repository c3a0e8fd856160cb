// The generated schema table: versions, defaults, what is unknown, what is our own.
#include "plugin/graph/schema.h"

#include <unity.h>

using namespace dbk;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

uint32_t since(const char* name, uint32_t opset) {
  const Schema* schema = find_schema("", name, opset);
  return schema ? schema->since : 0;
}

std::string failure(auto&& check) {
  try {
    check();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

void test_newest_version_not_above_the_opset() {
  TEST_ASSERT_EQUAL_UINT32(1, since("Softmax", 10));
  TEST_ASSERT_EQUAL_UINT32(11, since("Softmax", 12));
  TEST_ASSERT_EQUAL_UINT32(13, since("Softmax", 13));
  TEST_ASSERT_EQUAL_UINT32(13, since("Softmax", 20));
  TEST_ASSERT_EQUAL_UINT32(0, since("Gelu", 19));
  TEST_ASSERT_EQUAL_UINT32(20, since("Gelu", 20));
  TEST_ASSERT_EQUAL_UINT32(0, since("NoSuchOp", 20));
}

void test_known_is_wider_than_available() {
  TEST_ASSERT_TRUE(known_op("", "Gelu") && known_op("ai.onnx", "Relu") && known_op("ai.onnx.ml", "Scaler"));
  TEST_ASSERT_FALSE(known_op("", "Reluu") || known_op("com.example", "Relu") || known_op("ai.onnx.ml", "Relu"));
  TEST_ASSERT_TRUE(newest_opset("") >= 20);
  TEST_ASSERT_EQUAL_UINT32(0, newest_opset("com.example"));
  TEST_ASSERT_TRUE(find_schema("", "Upsample", 10)->deprecated);
}

// Rows of kernels/own_schemas.cpp stand among the others, and only those of compiler passes are internal.
void test_own_schemas() {
  const Schema& skip = *find_schema("com.microsoft", "SkipLayerNormalization", 1);
  TEST_ASSERT_EQUAL_UINT32(3, skip.min_inputs);
  TEST_ASSERT_EQUAL_UINT32(5, skip.max_inputs);
  TEST_ASSERT_EQUAL_UINT32(4, skip.max_outputs);
  TEST_ASSERT_EQUAL_STRING("input_skip_bias_sum", skip.outputs()[3].name);
  TEST_ASSERT_EQUAL_UINT32(F32 | F16 | BF16, type_of(skip.inputs()[0]).tensors);
  TEST_ASSERT_EQUAL_UINT32(1, newest_opset("com.microsoft"));
  TEST_ASSERT_FALSE(skip.internal || find_schema("", "Relu", 14)->internal);
  const Schema& attention = *find_schema("ai.daybreak", "Attention", 1);
  TEST_ASSERT_TRUE(attention.internal);
  Attributes attrs;
  for (const char* name : {"heads", "kv_heads", "head_size", "v_head_size"}) attrs.set(name, int64_t{1});
  check_attributes_and_fill_defaults(attention, attrs);
  TEST_ASSERT_EQUAL_INT64(0, attrs.integer("k_first"));
  TEST_ASSERT_EQUAL_DOUBLE(1, attrs.real("scale"));
  TEST_ASSERT_TRUE(known_op("", "SimplifiedLayerNormalization") && !known_op("com.microsoft", "Relu"));
}

void test_defaults_are_filled() {
  Attributes gemm;
  gemm.set("alpha", 0.5);
  check_attributes_and_fill_defaults(*find_schema("", "Gemm", 13), gemm);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, gemm.real("alpha"));
  TEST_ASSERT_EQUAL_DOUBLE(1.0, gemm.real("beta"));
  TEST_ASSERT_EQUAL_INT64(0, gemm.integer("transA"));
  Attributes leaky, gelu, lstm;
  check_attributes_and_fill_defaults(*find_schema("", "LeakyRelu", 16), leaky);
  TEST_ASSERT_TRUE(leaky.real("alpha") == static_cast<double>(0.01f));
  check_attributes_and_fill_defaults(*find_schema("", "Gelu", 20), gelu);
  TEST_ASSERT_EQUAL_STRING("none", gelu.text("approximate").c_str());
  check_attributes_and_fill_defaults(*find_schema("", "Transpose", 13), lstm);
  TEST_ASSERT_FALSE(lstm.has("perm"));
}

void test_every_cause_is_reported() {
  Attributes attrs;
  attrs.set("too", int64_t{1});
  attrs.set("saturate", 1.0);
  try {
    check_attributes_and_fill_defaults(*find_schema("", "Cast", 19), attrs);
    TEST_FAIL_MESSAGE("accepted");
  } catch (const Error& e) {
    TEST_ASSERT_EQUAL_size_t(3, e.causes().size());
  }
}

void test_formals() {
  const Schema& schema = *find_schema("", "LayerNormalization", 17);
  TEST_ASSERT_EQUAL_UINT32(2, schema.min_inputs);
  TEST_ASSERT_EQUAL_UINT32(3, schema.max_outputs);
  TEST_ASSERT_EQUAL_STRING("Scale", schema.inputs()[1].name);
  TEST_ASSERT_TRUE(schema.inputs()[2].option == SchemaFormal::Optional);
  TEST_ASSERT_EQUAL_UINT32(F32 | BF16, type_of(schema.outputs()[1]).tensors);
  TEST_ASSERT_EQUAL_UINT32(UINT32_MAX, find_schema("", "Concat", 13)->max_inputs);
  TEST_ASSERT_TRUE(find_schema("", "Loop", 13)->inputs()[2].homogeneous == false);
}

void test_heterogeneous_operands() {
  const Schema& pow = *find_schema("", "Pow", 15);
  const TensorType f32{DBK_F32, {1}}, i64{DBK_I64, {1}}, none{};
  TEST_ASSERT_EQUAL_STRING("", failure([&] { check_types(pow, std::array{f32, i64}); }).c_str());
  const Schema& concat = *find_schema("", "Concat", 13);
  TEST_ASSERT_NOT_EQUAL(0, failure([&] { check_types(concat, std::array{f32, f32, i64}); }).size());
  const Schema& clip = *find_schema("", "Clip", 13);
  TEST_ASSERT_EQUAL_STRING("", failure([&] { check_types(clip, std::array{f32, none, f32}); }).c_str());
  TEST_ASSERT_EQUAL_STRING("",
                           failure([&] { check_arity(clip, std::array{0u, DBK_NONE, 1u}, std::array{2u}); }).c_str());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_newest_version_not_above_the_opset);
  RUN_TEST(test_known_is_wider_than_available);
  RUN_TEST(test_own_schemas);
  RUN_TEST(test_defaults_are_filled);
  RUN_TEST(test_every_cause_is_reported);
  RUN_TEST(test_formals);
  RUN_TEST(test_heterogeneous_operands);
  return UNITY_END();
}
