#include "plugin/gpu/families/tuned_products.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "plugin/gpu/families/product_kernel.h"

namespace dbk::gpu {

namespace {

int64_t rounded(int64_t extent) { return extent <= 1 ? extent : static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(extent))); }

constexpr std::pair<std::string_view, bool ProductKey::*> kMarks[] = {
    {"trans_a", &ProductKey::trans_a}, {"trans_b", &ProductKey::trans_b},   {"weight", &ProductKey::weight},
    {"addend", &ProductKey::addend},   {"epilogue", &ProductKey::epilogue}, {"cast", &ProductKey::cast},
    {"vectors", &ProductKey::vectors}};
constexpr std::pair<std::string_view, int64_t ProductKey::*> kExtents[] = {
    {"n", &ProductKey::n}, {"k", &ProductKey::k}, {"batch", &ProductKey::batch}, {"m", &ProductKey::m}};

constexpr std::string_view kCoop = "coop=";
constexpr std::pair<OperandForm, std::string_view> kForms[] = {{OperandForm::F16, "f16"}, {OperandForm::F16Sums, "f16_sums"}, {OperandForm::F32, "f32"}};

// Cuts the text up to `end` off the front of `text`; nullopt where there is no `end`.
std::optional<std::string_view> cut(std::string_view& text, char end) {
  const size_t at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view front = text.substr(0, at);
  text.remove_prefix(at + 1);
  return front;
}

template <class T>
bool read_number(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_word(std::string_view word, ProductKey& key) {
  for (const auto& [name, mark] : kMarks)
    if (word == name) return key.*mark = true;
  for (const auto& [form, name] : kForms)
    if (word.starts_with(kCoop) && word.substr(kCoop.size()) == name) return key.coop = form, true;
  for (const auto& [name, extent] : kExtents)
    if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=') return read_number(word.substr(name.size() + 1), key.*extent);
  return false;
}

constexpr std::string_view kLayer = "projections ";  // how the names of layers begin

// Fastest first, and rounded as text() has them.
TunedProduct in_order(TunedProduct product) {
  for (TunedProduct::Time& time : product.times) time.microseconds = std::round(time.microseconds * 1e3) / 1e3;
  std::ranges::stable_sort(product.times, {}, &TunedProduct::Time::microseconds);
  return product;
}

constexpr std::pair<Tried, std::string_view> kEnds[] = {{Tried::Part, ", in part"}, {Tried::All, ", thorough"}, {Tried::Likely, ""}};  // of first lines

std::string text_of(const std::string& about, const TunedProduct& product) {
  const auto end = std::ranges::find(kEnds, product.tried, &std::pair<Tried, std::string_view>::first);
  std::string text = std::format("{}{}\n", about, end->second);
  for (const TunedProduct::Time& time : product.times) text += std::format(" {} {} {:.3f}\n", time.family, time.variant, time.microseconds);
  return text;
}

// "tile 64x64x16 123.4"
std::optional<TunedProduct::Time> read_time(std::string_view line) {
  const auto family = cut(line, ' '), variant = cut(line, ' ');
  TunedProduct::Time time{std::string(family.value_or("")), std::string(variant.value_or("")), 0};
  const bool right = variant && !time.family.empty() && !time.variant.empty() && read_number(line, time.microseconds);
  return right && std::isfinite(time.microseconds) && time.microseconds >= 0 ? std::optional(time) : std::nullopt;
}

// Whether less was tried for one than for the other; where time ended before all were tried, that is fewer kernels.
bool less_tried(const TunedProduct& one, const TunedProduct& other) {
  if (one.tried != other.tried) return one.tried < other.tried;
  return one.tried == Tried::Part && one.times.size() < other.times.size();
}

// The newer one, unless less was tried for it.
template <class Key>
void put(std::map<Key, TunedProduct, std::less<>>& all, const Key& key, const TunedProduct& product) {
  TunedProduct& known = all[key];
  if (known.times.empty() || !less_tried(product, known)) known = product;
}

}  // namespace

bool ProductKey::same_weight(const ProductKey& other) const {
  ProductKey key = other;
  key.m = m;
  return *this == key;
}

std::string ProductKey::text() const {
  std::string text = to_string(dtype);
  for (const auto& [form, name] : kForms)
    if (coop == form) text += std::format(" {}{}", kCoop, name);
  for (const auto& [name, mark] : kMarks)
    if (this->*mark) text += std::format(" {}", name);
  for (const auto& [name, extent] : kExtents) text += std::format(" {}={}", name, this->*extent);
  return text;
}

std::optional<ProductKey> ProductKey::parse(std::string_view text) {
  std::string words = std::string(text) + " ";
  std::string_view rest = words;
  ProductKey key;
  key.dtype = *cut(rest, ' ') == "f16" ? DBK_F16 : DBK_F32;
  while (const auto word = cut(rest, ' '))
    if (!read_word(*word, key)) return std::nullopt;
  return key.text() == text ? std::optional(key) : std::nullopt;
}

ProductKey product_key(const Product& p, const Capabilities& caps) {
  ProductKey key{p.dtype, coop_form(p, caps), p.trans_a, p.trans_b, p.b_fixed, p.has_d, static_cast<bool>(p.epilogue), p.stored() != p.dtype};
  key.vectors = !p.b_fixed && p.n % 4 == 0 && p.k % 4 == 0;
  key.n = p.b_fixed ? p.n : rounded(p.n), key.k = p.b_fixed ? p.k : rounded(p.k);
  key.batch = rounded(p.batch.extent.count()), key.m = rounded(p.m);
  return key;
}

void TunedProducts::add(const ProductKey& key, TunedProduct product) {
  if (!product.times.empty()) put(products_, key, in_order(std::move(product)));
}

void TunedProducts::add_layer(const std::string& about, TunedProduct layer) {
  if (!layer.times.empty()) put(layers_, about, in_order(std::move(layer)));
}

void TunedProducts::add(const TunedProducts& others) {
  for (const auto& [key, product] : others.products_) put(products_, key, product);
  for (const auto& [about, layer] : others.layers_) put(layers_, about, layer);
}

const TunedProduct* TunedProducts::find_layer(const std::string& about) const {
  const auto found = layers_.find(about);
  return found == layers_.end() ? nullptr : &found->second;
}

const TunedProduct* TunedProducts::find(const ProductKey& key) const {
  const auto found = products_.find(key);
  return found == products_.end() ? nullptr : &found->second;
}

std::vector<const TunedProduct*> TunedProducts::of_weight(const ProductKey& key) const {
  ProductKey first = key;
  first.m = 0;
  std::vector<const TunedProduct*> list;
  for (auto at = products_.lower_bound(first); at != products_.end() && at->first.same_weight(key); ++at) list.push_back(&at->second);
  return list;
}

// A line for each product or layer, then one for each kernel or form, indented.
std::string TunedProducts::text() const {
  std::string text;
  for (const auto& [key, product] : products_) text += text_of(key.text(), product);
  for (const auto& [about, layer] : layers_) text += text_of(about, layer);
  return text;
}

std::optional<TunedProducts> TunedProducts::parse(std::string_view text) {
  TunedProducts all;
  while (!text.empty()) {
    auto line = cut(text, '\n');
    if (!line) return std::nullopt;
    TunedProduct product;
    const auto end = std::ranges::find_if(kEnds, [&](const auto& each) { return line->ends_with(each.second); });
    product.tried = end->first;
    line->remove_suffix(end->second.size());
    const std::string about(*line);
    const bool layer = about.starts_with(kLayer);
    const auto key = layer ? std::nullopt : ProductKey::parse(about);
    while (text.starts_with(' ')) {
      line = cut(text, '\n');
      const auto time = line ? read_time(line->substr(1)) : std::nullopt;
      if (!time) return std::nullopt;
      product.times.push_back(*time);
    }
    if ((!key && !layer) || product.times.empty()) return std::nullopt;
    if (layer) all.add_layer(about, std::move(product));
    else all.add(*key, std::move(product));
  }
  return all;
}

}  // namespace dbk::gpu
