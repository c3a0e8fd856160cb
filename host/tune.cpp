// `daybreak tune`: measures which kernels are fastest for matrix products on a device and keeps the times in the cache directory, where
// later processes find them. Of models, or of shapes that many models have.
#include <cstdio>
#include <cstdlib>
#include <format>
#include <iostream>
#include <map>

#include "command.h"
#include "daybreak_graph.hpp"
#include "error_place.h"
#include "loader.h"
#include "printable.h"
#include "progress.h"
#include "report.h"
#include "session.h"
#include "tuned_products.h"
#include "warning.h"

namespace host {
namespace {

using nlohmann::json;

struct TuneOptions : ModelOptions {
  std::vector<std::string> models;
  std::string level = "quick";
  int64_t budget = 60000;
};

struct Size {
  int64_t m, n, k;
};

// Squares; layers of MiniLM and BERT over 128 tokens, and a batch; of small Llamas, for one token and many; few rows; nothing that
// divides anything; long sums of few results.
constexpr Size sizes[] = {
    {128, 128, 128},   {256, 256, 256},    {512, 512, 512},    {1024, 1024, 1024}, {2048, 2048, 2048},
    {128, 384, 384},   {128, 1536, 384},   {128, 384, 1536},   {1024, 384, 384},
    {128, 768, 768},   {128, 2304, 768},   {128, 3072, 768},   {128, 768, 3072},
    {1, 2048, 2048},   {1, 5632, 2048},    {1, 2048, 5632},    {128, 2048, 2048},  {64, 5632, 2048},   {1, 4096, 4096},
    {1, 768, 768},     {2, 768, 768},      {3, 768, 768},      {4, 768, 768},      {5, 768, 768},      {6, 768, 768},
    {7, 768, 768},     {8, 768, 768},
    {127, 131, 257},   {509, 521, 251},    {13, 1031, 997},    {1, 1031, 997},
    {64, 64, 4096},    {16, 64, 16384}};

struct Found {
  std::vector<TunedProduct> products;
  std::vector<TunedLayer> layers;
};

void add_found(const daybreak::Executable& exec, Found& all) {
  const json placement = parse_report(exec.report("placement"));
  for (TunedProduct& product : products_of(placement)) {
    const auto known = std::ranges::find(all.products, product.about, &TunedProduct::about);
    if (known == all.products.end()) all.products.push_back(std::move(product));
    else if (known->kernels.empty() || known->in_part) *known = std::move(product);
  }
  for (TunedLayer& layer : layers_of(placement))
    if (std::ranges::find(all.layers, layer) == all.layers.end()) all.layers.push_back(std::move(layer));
}

void tune_sizes(const daybreak::Context& ctx, const ModelOptions& options, Found& all) {
  ProgressBar bar("tune");
  std::size_t done = 0;
  for (const Size& size : sizes) {
    bar.show(std::format("{} x {} x {}", size.m, size.n, size.k), done++, std::size(sizes));
    const std::vector<float> weight(static_cast<std::size_t>(size.n * size.k));
    daybreak::GraphBuilder g;
    const auto x = g.input<float>("x", {size.m, size.k});
    g.output(g.node("MatMul", {x, g.param("w", std::span(weight), {size.k, size.n}, DBK_UNTIL_DESTROY)}), "y");
    daybreak::Compile how;
    how.options = compile_options(options);
    daybreak::Executable exec = ctx.compile(g, how);
    if (done == 1) warn_of_precision(ctx, exec, options);
    exec.ready();
    add_found(exec, all);
  }
}

// A dimension of the options has to be one of some model, not of each: told before anything is measured.
void require_known_dims(const daybreak::Context& ctx, const TuneOptions& options) {
  std::map<std::string, std::size_t> lacking;
  for (const std::string& path : options.models) {
    ModelFile file(path);
    for (const std::string& name : import_only(ctx, file, options, options.models.size() > 1).unknown_dims) ++lacking[name];
  }
  for (const auto& [name, models] : lacking)
    if (models == options.models.size())
      throw daybreak::Error(DBK_NOT_FOUND, std::format("none of the {} models has a dimension called {}", models, in_quotes(name)));
}

void tune_model(const daybreak::Context& ctx, const TuneOptions& options, const std::string& path, Found& all) {
  ModelFile file(path);
  ImportedModel model = import_only(ctx, file, options, true);
  in_place(file.name(), [&] { add_found(compile_ready(ctx, model, options), all); });
}

// The measured ones. What is left out is said on stderr; where that is all of them, forms may have been measured nevertheless.
std::vector<TunedProduct> with_times(const Found& found, const TuneOptions& options) {
  std::vector<TunedProduct> products = found.products;
  const std::size_t all = products.size();
  if (all == 0) throw daybreak::Error(DBK_UNIMPLEMENTED, "there is no product whose kernels the device could choose between; --device gpu?");
  std::erase_if(products, [](const TunedProduct& product) { return product.kernels.empty(); });
  const std::size_t left = all - products.size();
  const std::string why = std::format("{} of {} products are not measured: --budget {} ms was too short, or there is one kernel alone", left, all, options.budget);
  if (products.empty() && !options.json) std::cout << tuned_text(found.layers);
  if (products.empty()) throw daybreak::Error(DBK_DEADLINE_EXCEEDED, why);
  if (left > 0) print_warning(why + "; the same command goes on with them");
  const auto in_part = std::ranges::count_if(products, &TunedProduct::in_part);
  if (in_part > 0) print_warning(std::format("{} of {} products are measured in part: --budget {} ms was too short; the same command measures them again", in_part, all, options.budget));
  return products;
}

int tune(const std::string& plugin, const TuneOptions& options) {
  const LoadedPlugin loaded = load_plugin(plugin);
  daybreak::Options tuning;
  tuning.set("autotune", options.level).set("tune_budget_ms", options.budget);
  const daybreak::Context ctx = open_context(loaded.plugin, options, "daybreak tune", tuning);
  require_known_dims(ctx, options);
  Found found;
  if (options.models.empty()) tune_sizes(ctx, options, found);
  for (const std::string& model : options.models) tune_model(ctx, options, model, found);
  if (const char* folder = std::getenv("DAYBREAK_CACHE_DIR"); folder && !*folder) print_warning("DAYBREAK_CACHE_DIR is empty: no time is kept");
  const std::vector<TunedProduct> products = with_times(found, options);
  if (!options.json) {
    std::cout << tuned_text(products) << tuned_text(found.layers);
    return success;
  }
  std::cout << document_text({{"schema", "daybreak.tune/1"}, {"level", options.level}, {"products", tuned_json(products)}, {"layers", tuned_json(found.layers)},
                              {"summary", tuned_summary(products)}})
            << '\n';
  return success;
}

}  // namespace

void add_tune(CommandLine& line) {
  CLI::App* command = line.app.add_subcommand("tune", "Measures the kernels for a device's matrix products and keeps what is fastest");
  command->fallthrough();
  auto options = std::make_shared<TuneOptions>();
  command->add_option("MODEL", options->models, "ONNX files; without, products of sizes that many models have")->check(not_empty());
  add_dim_option(*command, *options);
  add_device_options(*command, *options);
  command->add_option("--level", options->level, "quick: the likely kernels of each product; full: all")->check(CLI::IsMember({"quick", "full"}));
  command->add_option("--budget", options->budget, "How long a model, or a size, may take")->type_name("MS")->check(CLI::Range(int64_t{0}, int64_t{86'400'000}));
  command->add_flag("--json", options->json, "Print a JSON document, schema daybreak.tune/1");
  command->callback([&line, options] { line.chosen = [&line, options] { return tune(line.plugin, *options); }; });
}

}  // namespace host
