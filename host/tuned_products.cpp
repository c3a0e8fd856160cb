// Tables of measured products; see tuned_products.h.
#include "tuned_products.h"

#include <algorithm>
#include <format>

#include "printable.h"
#include "report.h"
#include "units.h"

namespace host {

using nlohmann::json;

namespace {

constexpr double close = 1.15;  // times the fastest: as good as that

std::string time_text(double microseconds) { return seconds_text(microseconds / 1e6); }

TunedProduct product_in(const json& choice) {
  TunedProduct product{word_in(choice, "product"), {}, word_in(choice, "heuristic")};
  for (const json& entry : array_in(choice, "measured"))
    if (const json time = entry.value("microseconds", json()); time.is_number())
      product.kernels.push_back({word_in(entry, "kernel"), time.get<double>()});
  std::ranges::stable_sort(product.kernels, {}, &TunedProduct::Kernel::microseconds);
  product.in_part = choice.value("measured_in_part", false);
  return product;
}

std::string rule_text(const TunedProduct& product) {
  const double slowness = product.slowness_of_rule();
  if (slowness == 0) return product.rule + ", not measured";
  return product.rule == product.kernels[0].name ? "the same" : std::format("{}, +{:.0f} %", product.rule, (slowness - 1) * 100);
}

}  // namespace

double TunedProduct::slowness_of_rule() const {
  const auto found = std::ranges::find(kernels, rule, &Kernel::name);
  return found == kernels.end() || kernels[0].microseconds <= 0 ? 0 : found->microseconds / kernels[0].microseconds;
}

std::vector<TunedProduct> products_of(const json& placement) {
  std::vector<TunedProduct> products;
  for (const json& node : array_in(placement, "nodes")) {
    TunedProduct product = product_in(object_in(node, "choice"));
    const bool known = std::ranges::find(products, product.about, &TunedProduct::about) != products.end();
    if (!known && !product.about.empty()) products.push_back(std::move(product));
  }
  return products;
}

std::vector<TunedLayer> layers_of(const json& placement) {
  std::vector<TunedLayer> layers;
  for (const json& row : array_in(placement, "projections")) {
    TunedLayer layer{std::format("{} rows x {} by {}", word_in(row, "rows"), word_in(row, "k"), array_in(row, "widths").dump()), word_in(row, "form"), {}};
    const json measured = object_in(row, "measured_us");  // items() does not keep it
    for (const auto& [form, time] : measured.items())
      if (time.is_number()) layer.microseconds[form] = time.get<double>();
    if (!layer.microseconds.empty() && std::ranges::find(layers, layer) == layers.end()) layers.push_back(std::move(layer));
  }
  return layers;
}

std::string tuned_text(const std::vector<TunedLayer>& layers) {
  std::string text = layers.empty() ? "" : "\nproducts of one input (queries, keys, values)\n";
  for (const TunedLayer& layer : layers) {
    std::vector<std::string> times;
    for (const auto& [form, microseconds] : layer.microseconds) times.push_back(form + " " + time_text(microseconds));
    text += printable(std::format("  {}: {}  measured {}", layer.about, layer.form, joined(times))) + "\n";
  }
  return text;
}

json tuned_json(const std::vector<TunedLayer>& layers) {
  json list = json::array();
  for (const TunedLayer& layer : layers) list.push_back({{"layer", layer.about}, {"form", layer.form}, {"microseconds", layer.microseconds}});
  return list;
}

std::string tuned_text(const std::vector<TunedProduct>& products) {
  std::size_t width = 7;
  for (const TunedProduct& product : products) width = std::max(width, product.about.size());
  std::string text = std::format("{:<{}}  {:<28}  {:<30}  others\n", "product", width, "fastest", "by rule");
  for (const TunedProduct& product : products) {
    std::vector<std::string> others;
    for (std::size_t i = 1; i < product.kernels.size(); ++i)
      others.push_back(product.kernels[i].name + " " + time_text(product.kernels[i].microseconds));
    const std::string fastest = product.kernels[0].name + " " + time_text(product.kernels[0].microseconds);
    const char* end = product.in_part ? "; in part: the budget ended first" : "";
    text += printable(std::format("{:<{}}  {:<28}  {:<30}  {}{}", product.about, width, fastest, rule_text(product), joined(others), end)) + "\n";
  }
  const json summary = tuned_summary(products);
  return text + std::format("\n{} of {} rules within 15 % of the fastest; the worst takes {:.2f} times as long\n", word_in(summary, "close"),
                            word_in(summary, "rules"), summary["worst"].get<double>());
}

json tuned_json(const std::vector<TunedProduct>& products) {
  json list = json::array();
  for (const TunedProduct& product : products) {
    json kernels = json::array();
    for (const TunedProduct::Kernel& kernel : product.kernels) kernels.push_back({{"kernel", kernel.name}, {"microseconds", kernel.microseconds}});
    const double slowness = product.slowness_of_rule();
    list.push_back({{"product", product.about}, {"fastest", product.kernels[0].name}, {"rule", product.rule},
                    {"rule_slowness", slowness > 0 ? json(slowness) : json()}, {"in_part", product.in_part}, {"kernels", kernels}});
  }
  return list;
}

json tuned_summary(const std::vector<TunedProduct>& products) {
  std::size_t near = 0, known = 0;  // of rules whose kernel was measured
  double worst = 1;
  for (const TunedProduct& product : products) {
    const double slowness = product.slowness_of_rule();
    near += slowness > 0 && slowness <= close;
    known += slowness > 0;
    worst = std::max(worst, slowness);
  }
  return {{"products", products.size()}, {"rules", known}, {"close", near}, {"worst", worst}};
}

}  // namespace host
