// ONNX import: nodes, attributes, weights and dimensions arrive in the tables of the ABI as the model has them.
#include <cstring>

#include "graph_rows.h"
#include "model_text.h"

using Ints = std::vector<int64_t>;

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

const std::string head = R"(<ir_version: 8, opset_import: ["" : 17, "com.acme" : 3]>)";

void test_nodes() {
  Imported model(head + R"(
    g (float[2, 3] x) => (float[2, 3] y) {
      [first] t = Relu(x)
      [second] u, = com.acme.Twist <mode = "fast", k = 3, f = 0.5> (t, , x)
      y = Add(u, x)
    })");
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_UINT32(3, rows.node_count());
  TEST_ASSERT_EQUAL_STRING("first", rows.text(rows.node(0).name).c_str());
  TEST_ASSERT_EQUAL_UINT32(17, rows.node(0).op_version);
  TEST_ASSERT_EQUAL_STRING("com.acme", rows.text(rows.node(1).domain).c_str());
  TEST_ASSERT_EQUAL_STRING("Twist", rows.op(1).c_str());
  TEST_ASSERT_EQUAL_UINT32(3, rows.node(1).op_version);
  TEST_ASSERT_EQUAL_UINT32(DBK_NONE, rows.input(1, 1));
  TEST_ASSERT_EQUAL_UINT32(rows.find("x"), rows.input(1, 2));
  TEST_ASSERT_EQUAL_STRING("fast", rows.text(rows.attr(rows.node(1), "mode").data).c_str());
  TEST_ASSERT_EQUAL_INT64(3, rows.attr(rows.node(1), "k").v.i);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, rows.attr(rows.node(1), "f").v.f);
  TEST_ASSERT_EQUAL_STRING("y", rows.name(rows.refs(rows.block(0).outputs)[0]).c_str());
  TEST_ASSERT_EQUAL_UINT32(DBK_VALUE_UNKNOWN_RANK,
                           rows.value(rows.find("y")).flags);  // what it is declared may be wrong
  TEST_ASSERT_TRUE((rows.dims(rows.find("x")) == Ints{2, 3}));
}

void test_attributes_of_every_kind() {
  onnx::ModelProto proto = model_of(head + "g (float[1] x) => (float[1] y) { y = com.acme.All(x) }");
  onnx::NodeProto& node = *proto.mutable_graph()->mutable_node(0);
  const auto add = [&](const char* name, onnx::AttributeProto::AttributeType type) -> onnx::AttributeProto& {
    onnx::AttributeProto& item = *node.add_attribute();
    item.set_name(name);
    item.set_type(type);
    return item;
  };
  onnx::AttributeProto& floats = add("floats", onnx::AttributeProto::FLOATS);
  floats.add_floats(0.5f);
  onnx::AttributeProto& ints = add("ints", onnx::AttributeProto::UNDEFINED);  // as old files have it
  ints.add_ints(-7);
  add("strings", onnx::AttributeProto::STRINGS).add_strings("a\nb");
  onnx::TensorProto& tensor = *add("tensor", onnx::AttributeProto::TENSOR).mutable_t();
  tensor.set_data_type(onnx::TensorProto::INT8);
  tensor.add_dims(2);
  tensor.add_int32_data(-1);
  tensor.add_int32_data(5);
  *add("tensors", onnx::AttributeProto::TENSORS).add_tensors() = tensor;
  add("type", onnx::AttributeProto::TYPE_PROTO)
      .mutable_tp()
      ->mutable_sequence_type()
      ->mutable_elem_type()
      ->mutable_tensor_type()
      ->set_elem_type(onnx::TensorProto::DOUBLE);
  add("none", onnx::AttributeProto::INTS);
  Imported model(proto);
  const GraphRows rows(model.result.graph);
  const dbk_node& all = rows.node(0);
  TEST_ASSERT_TRUE((rows.floats(rows.attr(all, "floats").data) == std::vector<double>{0.5}));
  TEST_ASSERT_TRUE((rows.ints(rows.attr(all, "ints").data) == Ints{-7}));
  const dbk_slice strings = rows.attr(all, "strings").data;
  TEST_ASSERT_EQUAL_STRING("a\nb", rows.text(GraphRows::row<dbk_slice>(rows.graph().slices, strings.off)).c_str());
  const auto constant = static_cast<uint32_t>(rows.attr(all, "tensor").v.i);
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_CONST, rows.value(constant).origin);
  TEST_ASSERT_EQUAL_MEMORY("\xFF\x05", rows.data(constant), 2);
  TEST_ASSERT_EQUAL_UINT32(1, rows.attr(all, "tensors").data.len);
  const dbk_value& type = rows.value(static_cast<uint32_t>(rows.attr(all, "type").v.i));
  TEST_ASSERT_EQUAL_UINT32(DBK_F64, type.dtype);
  TEST_ASSERT_EQUAL_UINT32(DBK_KIND_SEQUENCE, type.kind);
  TEST_ASSERT_EQUAL_UINT32(DBK_ATTR_INTS, rows.attr(all, "none").type);
  TEST_ASSERT_EQUAL_UINT32(0, rows.attr(all, "none").data.len);
}

onnx::TensorProto weight(const std::string& name, int64_t elements, onnx::TensorProto::DataType type) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(type);
  tensor.add_dims(elements);
  for (int64_t i = 0; i < elements; ++i) {
    if (type == onnx::TensorProto::INT64) tensor.add_int64_data(i);
    if (type == onnx::TensorProto::FLOAT16) tensor.add_int32_data(15360);
  }
  if (type == onnx::TensorProto::FLOAT) tensor.set_raw_data(std::string(static_cast<std::size_t>(elements) * 4, '\1'));
  return tensor;
}

void test_constants_and_parameters() {
  onnx::ModelProto proto = model_of(head + R"(
    g (float[256] x) => (float[256] y, float[256] z, int64[4] s) {
      y = Add(x, large)
      z = Add(y, small)
      parts = com.acme.Half(halves)
      table = Gather(sizes, zero)
      s = Reshape(x, table)
    })");
  onnx::GraphProto& graph = *proto.mutable_graph();
  *graph.add_initializer() = weight("large", 256, onnx::TensorProto::FLOAT);
  *graph.add_initializer() = weight("small", 255, onnx::TensorProto::FLOAT);
  *graph.add_initializer() = weight("halves", 1000, onnx::TensorProto::FLOAT16);
  *graph.add_initializer() = weight("sizes", 300, onnx::TensorProto::INT64);  // steers a shape: through Gather
  *graph.add_initializer() = weight("zero", 1, onnx::TensorProto::INT64);
  Imported model(proto);
  const GraphRows rows(model.result.graph);
  const uint32_t large = rows.find("large");
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_PARAM, rows.value(large).origin);
  TEST_ASSERT_EQUAL_UINT32(DBK_UNTIL_DESTROY, rows.ownership(large));
  TEST_ASSERT_EQUAL_PTR(model.file.model().graph().initializer(0).raw_data().data(), rows.data(large));  // borrowed
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_CONST, rows.value(rows.find("small")).origin);
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_PARAM, rows.value(rows.find("halves")).origin);
  TEST_ASSERT_EQUAL_HEX8(0x3C, std::to_integer<uint8_t>(rows.data(rows.find("halves"))[1]));  // 1.0, converted
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_CONST, rows.value(rows.find("sizes")).origin);
  TEST_ASSERT_EQUAL_UINT32(1, rows.block(0).inputs.len);
}

void test_large_constant_nodes_are_parameters() {
  onnx::ModelProto proto = model_of(head + R"(
    g (float[2] x) => (float[512] y, float[512] c) {
      c = Constant <value = float[1] {1}> ()
      s = Constant <value = int64[1] {2}> ()
      y = com.acme.Use(c, s)
    })");
  *proto.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_t() =
      weight("unused name", 512, onnx::TensorProto::FLOAT);
  Imported model(proto);
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_UINT32(2, rows.node_count());
  TEST_ASSERT_EQUAL_STRING("Constant", rows.op(0).c_str());
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_PARAM, rows.value(rows.find("c")).origin);
  TEST_ASSERT_EQUAL_UINT32(rows.find("c"), rows.refs(rows.block(0).outputs)[1]);
}

void test_initializers_that_are_inputs() {
  const std::string text = head + R"(
    g (float[2] x, float[2] bias = {1, 2}) => (float[2] y) { y = Add(x, bias) })";
  Imported fixed(text);
  TEST_ASSERT_EQUAL_size_t(1, fixed.result.inputs.size());
  host::ImportOptions options;
  options.overridden = {"bias", "x"};
  Imported open(text, options);
  TEST_ASSERT_EQUAL_size_t(2, open.result.inputs.size());
  const GraphRows rows(open.result.graph);
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_COMPUTED, rows.value(rows.input(0, 1)).origin);
}

void test_symbols() {
  const std::string text =
      head + R"(g (float[batch, 3] x, float[seq, batch] z) => (float[batch, 3] y) { y = Relu(x) })";
  Imported model(text);
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_TRUE((rows.dims(rows.find("x")) == Ints{-1, 3}));
  TEST_ASSERT_TRUE((rows.dims(rows.find("z")) == Ints{-2, -1}));
  TEST_ASSERT_EQUAL_STRING("seq", model.result.symbols[1].c_str());
  host::ImportOptions options;
  options.dims = {{"batch", {4, 4}}, {"seq", {2, 64}}};
  Imported ranged(text, options);
  const GraphRows fixed(ranged.result.graph);
  TEST_ASSERT_TRUE((fixed.dims(fixed.find("z")) == Ints{-1, 4}));
  TEST_ASSERT_EQUAL_INT64(64, GraphRows::row<dbk_symbol>(fixed.graph().symbols, 0).max);
  options.dims = {{"bach", {4, 4}}};
  expect_in(refusal(text, options), "no dimension is called 'bach'; there are: 'batch', 'seq'");
  options.dims_of_others = true;
  TEST_ASSERT_EQUAL_STRING("bach", Imported(text, options).result.unknown_dims.at(0).c_str());
}

void test_dimensions_without_a_usable_name() {
  onnx::ModelProto proto =
      model_of(head + "g (float[a, b] x, float[c, d] z, float[n, n] s) => (float[a, b] y) { y = Relu(x) }");
  const auto dim = [&](int input, int axis) {
    return proto.mutable_graph()
        ->mutable_input(input)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(axis);
  };
  dim(0, 0)->set_dim_param("-1");
  dim(0, 1)->set_dim_param("-1");
  dim(1, 0)->clear_value();
  dim(1, 1)->set_dim_value(-1);
  Imported model(proto);
  TEST_ASSERT_EQUAL_size_t(5, model.result.symbols.size());
  TEST_ASSERT_EQUAL_STRING("x.0", model.result.symbols[0].c_str());
  TEST_ASSERT_EQUAL_STRING("z.1", model.result.symbols[3].c_str());
  host::ImportOptions options;
  options.shapes = {{"s", {2, 5}}};  // one name, two extents
  Imported split(proto, options);
  TEST_ASSERT_EQUAL_size_t(6, split.result.symbols.size());
  TEST_ASSERT_EQUAL_size_t(1, split.result.warnings.size());
  options.shapes = {{"s", {5, 5}}};
  Imported whole(proto, options);
  TEST_ASSERT_EQUAL_size_t(5, whole.result.symbols.size());
}

void test_ranks() {
  onnx::ModelProto proto = model_of(head + "g (float x, float[0, 2] e) => (float y) { y = Relu(x) }");
  proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  Imported model(proto);
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_UINT32(DBK_VALUE_UNKNOWN_RANK, rows.value(rows.find("x")).flags);
  TEST_ASSERT_TRUE((rows.dims(rows.find("e")) == Ints{0, 2}));
}

void test_outputs_that_are_inputs_and_constants() {
  Imported model(head + R"(g (float[2] x) => (float[2] x, float[1] c) <float[1] c = {1}> { unused = Relu(x) })");
  const GraphRows rows(model.result.graph);
  TEST_ASSERT_EQUAL_UINT32(rows.find("x"), rows.refs(rows.block(0).outputs)[0]);
  TEST_ASSERT_EQUAL_UINT32(rows.find("c"), rows.refs(rows.block(0).outputs)[1]);
}

void test_sparse_initializers() {
  onnx::ModelProto proto = model_of(head + "g (float[2, 3] x) => (float[2, 3] y) { y = Add(x, s) }");
  onnx::SparseTensorProto& sparse = *proto.mutable_graph()->add_sparse_initializer();
  sparse.add_dims(2);
  sparse.add_dims(3);
  sparse.mutable_values()->set_name("s");
  sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse.mutable_values()->add_dims(1);
  sparse.mutable_values()->add_float_data(7);
  sparse.mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse.mutable_indices()->add_dims(1);
  sparse.mutable_indices()->add_int64_data(4);
  Imported model(proto);
  const GraphRows rows(model.result.graph);
  float values[6];
  std::memcpy(values, rows.data(rows.find("s")), sizeof values);
  TEST_ASSERT_EQUAL_FLOAT(0, values[3]);
  TEST_ASSERT_EQUAL_FLOAT(7, values[4]);
  sparse.mutable_indices()->set_int64_data(0, 6);
  expect_in(refusal(proto), "initializer 's': index 6 of value 0 is outside [2, 3]");
  sparse.set_dims(0, 1ll << 40);
  expect_in(refusal(proto), "would take");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_nodes);
  RUN_TEST(test_attributes_of_every_kind);
  RUN_TEST(test_constants_and_parameters);
  RUN_TEST(test_large_constant_nodes_are_parameters);
  RUN_TEST(test_initializers_that_are_inputs);
  RUN_TEST(test_symbols);
  RUN_TEST(test_dimensions_without_a_usable_name);
  RUN_TEST(test_ranks);
  RUN_TEST(test_outputs_that_are_inputs_and_constants);
  RUN_TEST(test_sparse_initializers);
  return UNITY_END();
}
