// Broken and hostile model files: every prefix and random bytes of real ones, and models built to cost time or memory.
// Each is imported or refused with a text; nothing crashes and nothing takes more memory than the file deserves. With a
// plugin as argument, what is imported goes through its check and compile too.
#include <sys/resource.h>

#include <chrono>
#include <optional>
#include <random>

#include "daybreak.hpp"
#include "expect_error.h"
#include "model_text.h"
#include "onnx/wire.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<daybreak::Context> ctx;

// The plugin may refuse, but never find a defect of its own.
void try_plugin(daybreak::GraphBuilder& graph) {
  if (!ctx) return;
  const auto ask = [](const auto& call) {
    try {
      call();
    } catch (const daybreak::Error& error) {
      TEST_ASSERT_TRUE_MESSAGE(error.status() != DBK_INTERNAL, error.what());
    }
  };
  ask([&] { ctx->check(graph); });
  ask([&] { ctx->compile(graph, {.mode = DBK_COMPILE_PLAN_ONLY}); });
}

// Imports the bytes as a file would be; true where they are a model. Anything but a daybreak::Error fails the test.
bool try_import(const TempDir& dir, const std::string& bytes) {
  try {
    host::ModelFile file(dir.write("model.onnx", bytes));
    host::ImportedModel model = host::import_model(file);
    try_plugin(model.graph);
    host::ImportOptions lacking;  // every op is replaced by ONNX's definition, if it has one
    lacking.knows = [](const std::string&, const std::string&) { return false; };
    host::import_model(file, lacking);
    return true;
  } catch (const daybreak::Error& error) {
    TEST_ASSERT_TRUE_MESSAGE(error.message().find("model.onnx") != std::string::npos, error.what());
    return false;
  }
}

std::vector<fs::path> samples() {
  std::vector<fs::path> result;
  for (const char* name :
       {"node/test_if/model.onnx", "node/test_loop13_seq/model.onnx", "node/test_gru_defaults/model.onnx",
        "node/test_sce_mean_weight_ii_3d/model.onnx", "node/test_attention_4d_with_past_and_present/model.onnx",
        "node/test_cast_FLOAT_to_INT4/model.onnx", "node/test_strnormalizer_nostopwords_nochangecase/model.onnx",
        "node/test_constant/model.onnx", "simple/test_sequence_model4/model.onnx", "light/light_squeezenet.onnx"}) {
    const fs::path path = fs::path(DAYBREAK_ONNX_TESTDATA) / name;
    if (fs::exists(path)) result.push_back(path);
  }
  TEST_ASSERT_GREATER_THAN_size_t(4, result.size());
  return result;
}

void test_every_prefix() {
  const TempDir dir;
  for (const fs::path& path : samples()) {
    const std::string whole = contents(path);
    TEST_ASSERT_TRUE_MESSAGE(try_import(dir, whole), path.c_str());
    const std::size_t step = whole.size() < 4000 ? 1 : whole.size() / 2000;
    std::size_t accepted = 0;
    for (std::size_t length = 0; length < whole.size(); length += step)
      accepted += try_import(dir, whole.substr(0, length));
    TEST_ASSERT_LESS_THAN_size_t(40, accepted);  // only what comes after the graph may be missing
  }
}

void test_random_bytes() {
  const TempDir dir;
  std::mt19937 random(20260801);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(6);
  const std::vector<fs::path> paths = samples();
  std::size_t tried = 0, refused = 0;
  while (std::chrono::steady_clock::now() < deadline && tried < 60000) {
    std::string bytes = contents(paths[tried % paths.size()]);
    for (unsigned flips = 1 + random() % 4; flips-- > 0;)
      bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
    if (random() % 4 == 0) bytes[random() % bytes.size()] = '\xFF';
    refused += !try_import(dir, bytes);
    ++tried;
  }
  TEST_ASSERT_GREATER_THAN_size_t(tried / 20, refused);  // the flips did reach something
}

std::string field(unsigned number, const std::string& bytes) {
  std::string result;
  const auto varint = [&](uint64_t value) {
    for (; value >= 0x80; value >>= 7) result += static_cast<char>(value | 0x80);
    result += static_cast<char>(value);
  };
  varint(number << 3 | 2);
  varint(bytes.size());
  return result + bytes;
}

void expect_wire(const std::string& bytes, dbk_status status, const std::string& text) {
  try {
    host::check_wire(std::as_bytes(std::span(bytes)), host::WireMessage::model);
  } catch (const daybreak::Error& error) {
    TEST_ASSERT_EQUAL_INT(status, error.status());
    return expect_in(error.message(), text);
  }
  TEST_FAIL_MESSAGE("nothing was refused");
}

void test_the_place_of_damage() {
  const std::string node = field(1, field(4, "Relu"));
  std::string damaged = field(7, node + field(1, field(5, "\x0A\x7F")));  // an attribute's name of 127 bytes
  expect_wire(damaged, DBK_DATA_LOSS, "graph[0].node[1].attribute[0]: field 1 of 127 bytes runs past the end");
  expect_wire(std::string("\x08"), DBK_DATA_LOSS, "byte 1: a number is cut off");
  expect_wire(std::string("\x0B"), DBK_DATA_LOSS, "wire type 3");
  expect_wire(std::string("\x08") + std::string(11, '\xFF'), DBK_DATA_LOSS, "over 10 bytes");
}

void test_nesting() {
  std::string graph;
  for (int i = 0; i < 40; ++i) graph = field(1, field(5, field(6, graph)));  // node.attribute.g
  expect_wire(field(7, graph), DBK_OUT_OF_RANGE, "nested over 96 deep");
  std::string type = field(1, "");
  for (int i = 0; i < 200; ++i) type = field(4, field(1, type));  // sequences of sequences
  expect_wire(field(7, field(11, field(2, type))), DBK_OUT_OF_RANGE, "nested over 96 deep");
}

void test_numbers_of_fields() {
  std::string names;  // empty ones of a node: two bytes in the file, some forty in memory
  for (int i = 0; i < 20000001; ++i) names.append("\x0A\0", 2);
  expect_wire(field(7, field(1, names)), DBK_OUT_OF_RANGE, "over 20000000 fields");
}

// 30 bodies deep, each with its own names: import walks names of inner bodies again at every level.
void test_deep_bodies_are_quick() {
  onnx::GraphProto graph;
  for (int depth = 0; depth < 28; ++depth) {
    onnx::GraphProto outer;
    outer.add_output()->set_name("y" + std::to_string(depth));
    for (int i = 0; i < 200; ++i) {
      onnx::NodeProto& node = *outer.add_node();
      node.set_op_type("Constant");
      node.add_output(i == 0 ? "y" + std::to_string(depth) : "c" + std::to_string(i));
    }
    onnx::NodeProto& body = *outer.add_node();
    body.set_op_type("If");
    body.add_output("r");
    onnx::AttributeProto& attribute = *body.add_attribute();
    attribute.set_name("then_branch");
    attribute.set_type(onnx::AttributeProto::GRAPH);
    *attribute.mutable_g() = std::move(graph);
    graph = std::move(outer);
  }
  onnx::ModelProto model = model_of(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1] x) => (float[1] x) { })");
  *model.mutable_graph()->mutable_node() = graph.node();
  const auto start = std::chrono::steady_clock::now();
  Imported imported(model);
  TEST_ASSERT_TRUE(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

// Each node doubles an extent: what is kept about extents must not double with it.
void test_doubled_extents_are_quick() {
  onnx::ModelProto model = model_of(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[N] x) => (float[M] x) { })");
  onnx::GraphProto& graph = *model.mutable_graph();
  for (int i = 0; i < 40; ++i) {
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type("Concat");
    for (int k = 0; k < 2; ++k) node.add_input(i == 0 ? "x" : "y" + std::to_string(i - 1));
    node.add_output("y" + std::to_string(i));
    onnx::AttributeProto& axis = *node.add_attribute();
    axis.set_name("axis");
    axis.set_type(onnx::AttributeProto::INT);
    axis.set_i(0);
  }
  graph.mutable_output(0)->set_name("y39");
  const auto start = std::chrono::steady_clock::now();
  const TempDir dir;
  TEST_ASSERT_TRUE(try_import(dir, model.SerializeAsString()));
  TEST_ASSERT_TRUE(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

}  // namespace

int main(int argc, char** argv) {
  // A file of some megabytes that makes import ask for more is a failure here, not a slow machine.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit limit{rlim_t{4} << 30, rlim_t{4} << 30};
  setrlimit(RLIMIT_AS, &limit);
#endif
  if (argc > 1) ctx.emplace(daybreak::Plugin::load(argv[1]), daybreak::Options().set("gpu", false));
  UNITY_BEGIN();
  RUN_TEST(test_every_prefix);
  RUN_TEST(test_random_bytes);
  RUN_TEST(test_the_place_of_damage);
  RUN_TEST(test_nesting);
  RUN_TEST(test_numbers_of_fields);
  RUN_TEST(test_deep_bodies_are_quick);
  RUN_TEST(test_doubled_extents_are_quick);
  return UNITY_END();
}
