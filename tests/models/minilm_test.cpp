// What the sentence model promises beyond right numbers: one executable serves every length without building anything and with the
// bits of one that ran that length first, and on a GPU it is few dispatches and no work of the host; products on matrices of subgroups, with
// operands in f16, leave its embeddings where they are.
#include <cmath>
#include <cstdlib>
#include <map>

#include "model_files.h"
#include "onnx/imported_model.h"
#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

constexpr int64_t kRows = 2, kLongest = 128;
constexpr uint64_t kMostDispatches = 64;

// The executable and what it borrows from.
class Minilm {
 public:
  Minilm() : file_(host::model_files("minilm-f32").at("minilm-f32.onnx")), model_(host::import_model(file_, extents())), exec_(prepare(model_.graph)) {}
  explicit Minilm(const daybreak::Context& own)
      : file_(host::model_files("minilm-f32").at("minilm-f32.onnx")), model_(host::import_model(file_, extents())),
        exec_(own.compile(model_.graph, {.device = device().index})) {
    exec_.ready();
  }

  daybreak::Executable& exec() { return exec_; }

 private:
  static host::ImportOptions extents() {
    host::ImportOptions options;
    options.dims = {{"batch_size", {1, kRows}}, {"sequence_length", {1, kLongest}}};
    return options;
  }

  host::ModelFile file_;
  host::ImportedModel model_;
  daybreak::Executable exec_;
};

// Words of two sentences, the second of half the length.
void bind_sentences(daybreak::Run& run, int64_t length) {
  std::map<std::string, std::vector<int64_t>> inputs{{"input_ids", {}}, {"attention_mask", {}}, {"token_type_ids", {}}};
  for (int64_t row = 0; row < kRows; ++row)
    for (int64_t i = 0; i < length; ++i) {
      const bool there = row == 0 || i < (length + 1) / 2;
      inputs["input_ids"].push_back(there ? 1000 + (i * 7919 + row * 104729) % 29000 : 0);
      inputs["attention_mask"].push_back(there);
      inputs["token_type_ids"].push_back(0);
    }
  for (const auto& [name, words] : inputs) run.bind_input(name, daybreak::View(std::span(words), Dims{kRows, length}), DBK_COPY);
}

Floats embeddings(daybreak::Run& run, int64_t length) {
  bind_sentences(run, length);
  run.run();
  return run.read<float>("sentence_embedding");
}

void test_lengths() {
  Minilm shared;
  daybreak::Run run(shared.exec());
  const uint64_t built = shared.exec().stats().pipelines_built;
  for (const int64_t length : {10, 128, 37}) {
    const Floats actual = embeddings(run, length);
    require_equal(shared.exec().stats().pipelines_built, built, "pipelines built after ready");
    Minilm fresh;
    daybreak::Run first(fresh.exec());
    require_same(actual, embeddings(first, length), "embeddings of an executable that ran this length first");
  }
}

void test_placement() {
  Minilm model;
  const nlohmann::json summary = report(model.exec(), "placement").at("summary");
  require_equal(summary.value("host", 0), 0, "nodes on the host");
  if (!on_gpu()) return;
  daybreak::Run run(model.exec());
  embeddings(run, 37);
  const dbk_stats before = model.exec().stats();
  run.run();
  const dbk_stats after = model.exec().stats();
  require(after.dispatches - before.dispatches <= kMostDispatches, "a run has {} dispatches", after.dispatches - before.dispatches);
  require_equal(after.host_islands, before.host_islands, "host islands");
  require(after.device_objects - before.device_objects <= 3, "a run makes {} device objects", after.device_objects - before.device_objects);
  require_equal(after.pipelines_built, before.pipelines_built, "pipelines built by a run");
  require_equal(after.host_allocations, before.host_allocations, "host allocations of a run");
}

double cosine(std::span<const float> a, std::span<const float> b) {
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) ab += double(a[i]) * b[i], aa += double(a[i]) * a[i], bb += double(b[i]) * b[i];
  return ab / std::sqrt(aa * bb);
}

// Every product with a weight, judged by the precision guard.
void test_matrices_of_subgroups() {
  if (!on_gpu() || !device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  constexpr int64_t kLength = 24;
  Minilm exact;
  const daybreak::Context own(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), daybreak::Options().set("matmul_family", "coop"));
  Minilm coop(own);
  int products = 0;
  const nlohmann::json placement = report(coop.exec(), "placement");
  for (const nlohmann::json& node : placement.at("nodes")) {
    if (!node.contains("choice") || node["choice"].at("product") == "") continue;  // attention has ways of its own
    require(node["choice"].at("family") == "coop", "{}", node["choice"].dump());
    products += node["choice"].contains("precision_guard");
  }
  require(products >= 24, "{} weights were judged", products);  // 6 layers
  daybreak::Run first(exact.exec()), second(coop.exec());
  const Floats expected = embeddings(first, kLength), actual = embeddings(second, kLength);
  const size_t width = expected.size() / kRows;
  for (size_t row = 0; row < kRows; ++row) {
    const double c = cosine(std::span(expected).subspan(row * width, width), std::span(actual).subspan(row * width, width));
    std::printf("row %zu: cosine %.7f\n", row, c);
    require(c >= 0.9999, "row {}: cosine {}", row, c);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "minilm_test.cpp", {GRAPH_TEST(test_lengths), GRAPH_TEST(test_placement), GRAPH_TEST(test_matrices_of_subgroups)});
}
