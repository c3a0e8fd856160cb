// ONNX import: what is wrong with a model is told with its place, all of it at once.
#include "expect_error.h"
#include "model_text.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

const std::string head = R"(<ir_version: 8, opset_import: ["" : 17]>)";

void test_all_faults_at_once() {
  onnx::ModelProto proto = model_of(head + R"(
    g (float[2] x) => (float[2] y, float[2] gone) {
      [one] a = Add(x, nowhere)
      [two] b = Constant <value = float[2] {1, 2}> ()
      [three] y = Add(a, b)
      [four] x = Relu(a)
      [five] c = If(x) <then_branch = t () => (float[2] d) { d = Neg(elsewhere) }>
    })");
  proto.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_t()->add_dims(1000);
  const std::string text = refusal(proto);
  expect_in(text, "INVALID_ARGUMENT");
  expect_in(text, "model.onnx': node 0 'one' (Add): input 1: no node, input or initializer makes 'nowhere'");
  expect_in(text, "node 1 'two' (Constant)");
  expect_in(text, "f32[2, 1000] takes 8000 bytes, but 8 are there");
  expect_in(text, "node 3 'four' (Relu): 'x' is made a second time");
  expect_in(text, "node 4 'five' (If): attribute 'then_branch' > node 0 (Neg): input 0: no node");
  expect_in(text, "output 'gone': no node");
  TEST_ASSERT_TRUE(text.find("three") == std::string::npos);  // it only reads what a fault left out
}

void test_types_that_are_not_carried() {
  onnx::ModelProto proto = model_of(head + "g (float[2] x, float[2] m, float[2] n) => (float[2] y) { y = Relu(x) }");
  onnx::GraphProto& graph = *proto.mutable_graph();
  graph.mutable_input(1)->mutable_type()->mutable_map_type()->set_key_type(onnx::TensorProto::INT64);
  graph.mutable_input(2)->mutable_type()->mutable_sparse_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  const std::string text = refusal(proto);
  expect_in(text, "UNIMPLEMENTED");
  expect_in(text, "input 'm': maps are not supported");
  expect_in(text, "input 'n': sparse tensors as values are not supported");
  graph.mutable_input(1)->clear_type();
  expect_in(refusal(proto), "input 'm': its element type is not stated");
}

void test_opsets() {
  Imported unchanged(R"(<ir_version: 8, opset_import: ["" : 6]> g (float[2] x) => (float[2] y) { y = Relu(x) })");
  TEST_ASSERT_EQUAL_size_t(1, unchanged.result.outputs.size());
  onnx::ModelProto proto = model_of(head + "g (float[2] x) => (float[2] y) { y = other.Op(x) }");
  Imported lenient(proto);
  TEST_ASSERT_EQUAL_size_t(1, lenient.result.warnings.size());
  expect_in(lenient.result.warnings[0], "no opset of domain 'other' is imported");
  proto.mutable_opset_import(0)->set_version(0);
  expect_in(refusal(proto), "opset 0 of ai.onnx is no version");
  proto.clear_opset_import();
  expect_in(refusal(proto), "no opset is imported");
}

void test_models_that_are_none() {
  onnx::ModelProto proto = model_of(head + "g (float[2] x) => (float[2] y) { y = Relu(x) }");
  proto.mutable_graph()->clear_output();
  expect_in(refusal(proto), "the graph has no outputs");
  proto.clear_graph();
  expect_in(refusal(proto), "the model has no graph");
  TempDir dir;
  expect_error(DBK_INVALID_ARGUMENT, [&] { host::ModelFile file(dir.write("empty.onnx", "")); });
  expect_error(DBK_NOT_FOUND, [&] { host::ModelFile file(dir.path() / "missing.onnx"); });
  expect_error(DBK_INVALID_ARGUMENT, [&] { host::ModelFile file(dir.path()); });
  expect_error(DBK_INVALID_ARGUMENT, [&] { host::ModelFile file("/dev/null"); });
}

void test_names_from_files_cannot_harm_a_terminal() {
  onnx::ModelProto proto = model_of(head + "g (float[2] x) => (float[2] y) { y = Relu(x) }");
  proto.mutable_graph()->mutable_node(0)->set_input(0, "\x1B[2J\xFF" + std::string(5000, 'a'));
  const std::string text = refusal(proto);
  expect_in(text, "'\\x1b[2J\\xffaaa");
  TEST_ASSERT_LESS_THAN_size_t(600, text.size());
}

void test_many_faults_stay_readable() {
  onnx::ModelProto proto = model_of(head + "g (float[2] x) => (float[2] y) { y = Relu(x) }");
  for (int i = 0; i < 3000; ++i) {
    onnx::NodeProto& node = *proto.mutable_graph()->add_node();
    node.set_op_type("Relu");
    node.add_input("nowhere");
    node.add_output("n" + std::to_string(i));
  }
  expect_in(refusal(proto), "and 2000 faults more");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_all_faults_at_once);
  RUN_TEST(test_types_that_are_not_carried);
  RUN_TEST(test_opsets);
  RUN_TEST(test_models_that_are_none);
  RUN_TEST(test_names_from_files_cannot_harm_a_terminal);
  RUN_TEST(test_many_faults_stay_readable);
  return UNITY_END();
}
