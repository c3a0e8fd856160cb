// `daybreak tune`: measures which kernels are fastest for matrix products on a device and keeps the times in the cache directory, where
// later processes find them. Of models, or of shapes that many models have.
#include <cstdio>
#include <cstdlib>
#include <format>
#include <iostream>
#include <map>

#include "assumed_extents.h"
#include "command.h"
#include "daybreak_graph.hpp"
#include "device_report.h"
#include "error_place.h"
#include "loader.h"
#include "printable.h"
#include "product_sizes.h"
#include "progress.h"
#include "report.h"
#include "session.h"
#include "times_kept.h"
#include "tuned_products.h"
#include "units.h"
#include "warning.h"

namespace host {
namespace {

using nlohmann::json;

struct TuneOptions : ModelOptions {
  std::vector<std::string> models;
  std::string level = "quick";
  int64_t budget = 60000;
};

struct Found {
  std::vector<TunedProduct> products;
  std::vector<TunedLayer> layers;
  std::vector<std::string> without;  // why of a model there are no products
  std::string extents;               // lines about those that models were measured for
  json assumed = json::array();      // the same
};

// Options that say something of models alone; and dimensions that cannot be.
void check_options(const TuneOptions& options) {
  parse_dims(options.dims);
  if (!options.models.empty()) return;
  const std::pair<const char*, bool> of_models[] = {
      {"--dim", !options.dims.empty()}, {"--fusion", !options.fusion.empty()}, {"--qkv", !options.qkv.empty()}, {"--host-ops", !options.host_ops.empty()}};
  for (const auto& [name, given] : of_models)
    if (given) throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("{} has to be of a model: name one", name));
}

constexpr const char* cpu_text = "the device is the CPU, which has no kernels to choose between: --device gpu";

// Told before anything is compiled, where it is known: a model may go to another device than the default one where nothing names a device.
void require_gpu(const daybreak::Context& ctx, const TuneOptions& options) {
  const char* variable = std::getenv("DAYBREAK_DEVICE");
  const bool named = !options.device.empty() || (variable && *variable);
  const uint32_t device = default_device(read_devices(ctx));
  const bool cpu = options.policy != "require_gpu" && ctx.device(device).kind == DBK_DEVICE_CPU;
  if (options.policy == "cpu_only" || (cpu && (named || options.models.empty()))) throw daybreak::Error(DBK_UNIMPLEMENTED, cpu_text);
}

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
  for (const ProductSize& size : product_sizes) {
    bar.show(std::format("{} x {} x {}", size.m, size.n, size.k), done++, std::size(product_sizes));
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

void add_extents(const std::string& model, const json& plan, bool several, Found& all) {
  const json assumed = array_in(plan, "assumed");
  if (assumed.empty()) return;
  all.extents += std::format("extents{}  {}\n", several ? " of " + in_quotes(model) : "", assumed_text(plan));
  all.assumed.push_back({{"model", model}, {"assumed", assumed}});
}

void tune_model(const daybreak::Context& ctx, const TuneOptions& options, const std::string& path, Found& all) {
  ModelFile file(path);
  ImportedModel model = import_only(ctx, file, options, true);
  in_place(file.name(), [&] {
    const daybreak::Executable exec = compile_ready(ctx, model, options);
    const daybreak::DeviceInfo device = ctx.device(exec.device());
    if (device.kind == DBK_DEVICE_CPU) all.without.push_back(std::format("{}: {}", file.name(), cpu_text));
    else if (products_of(parse_report(exec.report("placement"))).empty())
      all.without.push_back(std::format("{}: no node on '{}' is a product whose kernels it could choose between", file.name(), device.name));
    add_found(exec, all);
    add_extents(path, parse_report(exec.report("plan")), options.models.size() > 1, all);
  });
}

// The measured ones. What is left out is said on stderr; where that is all of them, forms may have been measured nevertheless.
std::vector<TunedProduct> with_times(const Found& found, const TuneOptions& options) {
  std::vector<TunedProduct> products = found.products;
  const std::size_t all = products.size();
  if (all == 0) throw daybreak::Error(DBK_UNIMPLEMENTED, found.without.empty() ? cpu_text : joined(found.without, "; "));
  for (const std::string& reason : found.without) print_warning(reason);
  std::erase_if(products, [](const TunedProduct& product) { return product.kernels.empty(); });
  const std::size_t left = all - products.size();
  const std::string why = std::format("{} of {} products are not measured: --budget {} ms was too short, there is one kernel alone, or a warning says why", left, all, options.budget);
  const bool nothing = products.empty() && found.layers.empty();
  if (nothing && !options.json) std::cout << found.extents;
  if (nothing) throw daybreak::Error(DBK_DEADLINE_EXCEEDED, why);
  if (left > 0) print_warning(why + "; the same command goes on with them");
  const auto in_part = std::ranges::count_if(products, &TunedProduct::in_part);
  if (in_part > 0) print_warning(std::format("{} of {} products are measured in part: --budget {} ms was too short; the same command measures them again", in_part, all, options.budget));
  return products;
}

int tune(const std::string& plugin, const TuneOptions& options) {
  check_options(options);
  const LoadedPlugin loaded = load_plugin(plugin);
  daybreak::Options tuning;
  tuning.set("autotune", options.level).set("tune_budget_ms", options.budget);
  const daybreak::Context ctx = open_context(loaded.plugin, options, "daybreak tune", tuning);
  require_gpu(ctx, options);
  require_known_dims(ctx, options);
  Found found;
  if (options.models.empty()) tune_sizes(ctx, options, found);
  for (const std::string& model : options.models) tune_model(ctx, options, model, found);
  if (const char* level = std::getenv("DAYBREAK_AUTOTUNE"); level && std::string_view(level) == "off")
    print_warning("DAYBREAK_AUTOTUNE=off: processes with this variable do not use the times");
  const std::vector<TunedProduct> products = with_times(found, options);
  if (!options.json) {
    if (!products.empty()) std::cout << tuned_text(products);
    std::cout << tuned_text(found.layers) << found.extents;
    require_times_kept();
    return success;
  }
  std::cout << document_text({{"schema", "daybreak.tune/1"}, {"level", options.level}, {"products", tuned_json(products)}, {"layers", tuned_json(found.layers)},
                              {"extents", found.assumed}, {"summary", tuned_summary(products)}})
            << '\n';
  require_times_kept();
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
