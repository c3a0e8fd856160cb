// Drawing and the steps that rules share. The rules are in drawn_rules.cpp and drawn_formulas.cpp.
#include "tests/graphs/drawn_graph.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <map>

namespace graphs {

namespace {

std::string text_of(const std::vector<int64_t>& dims) {
  std::string text;
  for (int64_t d : dims) text += (text.empty() ? "" : ", ") + (d == kOpen ? "n" : std::to_string(d));
  return "[" + text + "]";
}

std::string text_of(const daybreak::Attr& attr) {
  return std::visit(
      [&](const auto& data) {
        using T = std::decay_t<decltype(data)>;
        if constexpr (std::is_same_v<T, std::vector<int64_t>>) return std::format(" {}={}", attr.name(), text_of(data));
        else if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, double> || std::is_same_v<T, std::string>)
          return std::format(" {}={}", attr.name(), data);
        else return std::string();
      },
      attr.data());
}

// Where whole numbers are exact.
double exact_up_to(uint32_t dtype) { return dtype == DBK_F16 ? 2048 : dtype == DBK_BF16 ? 256 : 0x1p24; }

}  // namespace

DrawnGraph::DrawnGraph(uint64_t seed) : random_(seed) {
  open_ = chance(3);
  if (open_) symbol_ = chance(2) ? g_.symbol("n", 0, kMostOpen) : g_.symbol("n");
  const Dim shape{open_ ? kOpen : extent(), extent(), extent() * 4};
  keep(input(shape, false));
  keep(input(shape, true));
  keep(input({shape[0], extent(), 1 + static_cast<int64_t>(draw(6)), 1 + static_cast<int64_t>(draw(6))}, chance(2)));
  keep(input({chance(2) ? 1 : shape[1], shape[2]}, chance(2)));
  const size_t count = 4 + draw(14);
  for (size_t made = 0, tried = 0; made < count && tried < 10 * count; ++tried) {
    const Rule rule = kRules[draw(kRules.size())];
    if ((this->*rule)()) ++made;
  }
  finish();
}

std::vector<int64_t> DrawnGraph::extents() const {
  if (!open_) return {0};
  return may_be_empty_ ? std::vector<int64_t>{kMostOpen, 1, 0, 3} : std::vector<int64_t>{kMostOpen, 1, 3};
}

int64_t DrawnGraph::extent() {
  constexpr int64_t kExtents[] = {1, 2, 3, 4, 5, 7, 8, 16};
  return chance(40) ? 0 : kExtents[draw(std::size(kExtents))];
}

bool DrawnGraph::usable(const DrawnValue& v) const { return !v.wild && v.bound <= 300 && v.error <= std::max(v.bound, 1.0) / 16; }

const DrawnValue* DrawnGraph::find_float(size_t min_rank) {
  return find([&](const DrawnValue& v) { return v.floating() && v.rank() >= min_rank; });
}

std::optional<DrawnGraph::Dim> DrawnGraph::broadcast(const Dim& a, const Dim& b) {
  Dim result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) return std::nullopt;
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

bool DrawnGraph::may_meet(const DrawnValue& a, const DrawnValue& b) {
  const auto dims = broadcast(a.dims, b.dims);
  return dims && most_elements(*dims) <= kMostElements;
}

DrawnValue DrawnGraph::partner(const DrawnValue& a) {
  const auto fits = [&](const DrawnValue& v) { return v.dtype == a.dtype && may_meet(a, v); };
  if (const DrawnValue* other = chance(4) ? nullptr : find(fits)) return *other;
  Dim dims(a.dims.begin() + static_cast<ptrdiff_t>(draw(a.rank() + 1)), a.dims.end());
  for (int64_t& d : dims)
    if (d == kOpen || chance(3)) d = 1;
  return weight(dims, 1, a.dtype);
}

// ---- making ----

std::vector<DrawnValue> DrawnGraph::nodes(const char* op, const List& inputs, const std::vector<daybreak::Attr>& attrs,
                                          const std::vector<Dim>& dims, uint32_t dtype) {
  std::vector<Value> ids;
  std::string operands, made;
  bool wild = false;
  for (const DrawnValue& v : inputs) {
    ids.push_back(v.value);
    operands += (operands.empty() ? "" : ", ") + v.name;
    read_.insert(v.value.id);
    wild = wild || v.wild;
  }
  const std::vector<Value> results = g_.nodes(op, ids, attrs, std::vector<bool>(dims.size(), true));
  std::vector<DrawnValue> outputs;
  for (size_t i = 0; i < dims.size(); ++i) {
    DrawnValue& v = outputs.emplace_back();
    v.value = results[i], v.name = std::format("v{}", results[i].id), v.dtype = dtype, v.dims = dims[i], v.wild = wild;
    made += (made.empty() ? "" : ", ") + std::format("{} {}{}", v.name, daybreak::dtype_name(dtype), text_of(dims[i]));
  }
  std::string given;
  for (const daybreak::Attr& attr : attrs) given += text_of(attr);
  text_ += std::format("  {} = {}({}){}\n", made, op, operands, given);
  return outputs;
}

DrawnValue DrawnGraph::node(const char* op, const List& inputs, const std::vector<daybreak::Attr>& attrs, Dim dims, uint32_t dtype) {
  DrawnValue result = nodes(op, inputs, attrs, {std::move(dims)}, dtype).front();
  emitted_.push_back({op, inputs, attrs, result});
  return result;
}

DrawnValue DrawnGraph::bounded(DrawnValue v, double bound, double carried, double roundings, bool whole) {
  v.bound = bound;
  v.whole = whole;
  const bool exact = carried == 0 && (whole ? bound <= exact_up_to(v.dtype) : roundings == 0);
  v.error = exact ? 0 : error_of(v.dtype, bound, carried, std::max(roundings, 1.0));
  emitted_.back().result = v;
  return v;
}

DrawnValue DrawnGraph::inner(DrawnValue v) {
  if (chance(12)) keep(v);
  return v;
}

DrawnValue DrawnGraph::input(Dim dims, bool whole) {
  inputs_.push_back({std::format("x{}", inputs_.size()), dims, whole});
  Dims shape;
  for (int64_t d : dims) shape.push_back(d == kOpen ? DBK_DIM_SYMBOL(symbol_.index) : d);
  DrawnValue v;
  v.value = g_.input(inputs_.back().name, DBK_F32, daybreak::Shape(shape));
  v.name = inputs_.back().name, v.dims = dims, v.whole = whole, v.bound = whole ? 3 : 1;
  text_ += std::format("  {} f32{}{}\n", v.name, text_of(dims), whole ? " of whole numbers" : "");
  return v;
}

DrawnValue DrawnGraph::weight(Dim dims, double bound, uint32_t dtype, double least) {
  std::vector<float> numbers(static_cast<size_t>(most_elements(dims)));
  const bool whole = !epsilon_of(dtype) || (least == 0 && bound >= 1 && chance(4));
  for (float& x : numbers) {
    const double part = static_cast<double>(draw(1001)) / 1000;
    x = static_cast<float>(whole ? std::floor(part * 2.999) - 1 : least > 0 ? least + part * (bound - least) : (2 * part - 1) * bound);
  }
  const Dims shape{std::span<const int64_t>(dims)};
  DrawnValue v;
  v.name = std::format("w{}", weights_.size());
  const bool constant = chance(2);
  v.value = constant ? g_.constant(DBK_F32, shape, std::as_bytes(std::span(numbers)), v.name)
                     : g_.param(v.name, DBK_F32, shape, std::as_bytes(std::span(weights_.emplace_back(numbers))));
  if (constant) weights_.emplace_back();  // its number is taken
  v.dims = dims, v.bound = std::max(bound, whole ? 1.0 : 0.0), v.whole = whole;
  text_ += std::format("  {} f32{} {}\n", v.name, text_of(dims), constant ? "constant" : "parameter");
  return dtype == DBK_F32 ? v : cast(v, dtype);
}

DrawnValue DrawnGraph::number(double value, uint32_t dtype) {
  DrawnValue v;
  const auto f = static_cast<float>(value);
  v.value = g_.scalar(f), v.name = std::format("{}", f), v.bound = std::abs(value), v.whole = value == std::floor(value);
  return dtype == DBK_F32 ? v : cast(v, dtype);
}

DrawnValue DrawnGraph::integers(const std::vector<int64_t>& list) {
  DrawnValue v;
  v.value = g_.constant(std::span(list), Dims{static_cast<int64_t>(list.size())});
  v.name = text_of(list), v.dtype = DBK_I64, v.dims = {static_cast<int64_t>(list.size())};
  return v;
}

// ---- steps ----

DrawnValue DrawnGraph::binary(const char* op, const DrawnValue& a, const DrawnValue& b) {
  const std::string_view name = op;
  const DrawnValue y = node(op, {a, b}, {}, *broadcast(a.dims, b.dims), a.dtype);
  const bool whole = a.whole && b.whole;
  if (name == "Mul") return bounded(y, a.bound * b.bound, a.bound * b.error + a.error * b.bound + a.error * b.error, 1, whole);
  if (name == "Max" || name == "Min") return bounded(y, std::max(a.bound, b.bound), std::max(a.error, b.error), 0, whole);
  return bounded(y, a.bound + b.bound, a.error + b.error, 1, whole);
}

DrawnValue DrawnGraph::quotient_of(const DrawnValue& a, const DrawnValue& b, double least) {
  const DrawnValue y = node("Div", {a, b}, {}, *broadcast(a.dims, b.dims), a.dtype);
  const double bound = a.bound / least;
  return bounded(y, bound, 2 * (a.error / least + bound * b.error / least), 4);
}

DrawnValue DrawnGraph::sloped(const char* op, const DrawnValue& x, double slope, double cap, double offset, const std::vector<daybreak::Attr>& attrs) {
  const double bound = slope * x.bound + offset;
  return bounded(node(op, {x}, attrs, x.dims, x.dtype), cap > 0 ? std::min(cap, bound) : bound, slope * x.error, 16);
}

DrawnValue DrawnGraph::moved(const char* op, const List& inputs, Dim dims, const std::vector<daybreak::Attr>& attrs) {
  return bounded(node(op, inputs, attrs, std::move(dims), inputs[0].dtype), inputs[0].bound, inputs[0].error, 0, inputs[0].whole);
}

DrawnValue DrawnGraph::cast(const DrawnValue& x, uint32_t dtype) {
  static const std::map<uint32_t, int64_t> kOnnx{{DBK_F32, 1}, {DBK_F16, 10}, {DBK_BF16, 16}, {DBK_F64, 11}, {DBK_I32, 6}, {DBK_I64, 7}, {DBK_BOOL, 9}};
  const DrawnValue y = node("Cast", {x}, {{"to", kOnnx.at(dtype)}}, x.dims, dtype);
  if (dtype == DBK_BOOL) return bounded(y, 1, 0, 0, true);
  const bool narrower = epsilon_of(dtype) > epsilon_of(x.dtype) && !x.whole;
  return bounded(y, x.bound, x.error, narrower ? 1 : 0, x.whole);
}

DrawnValue DrawnGraph::widened_or_narrowed(const DrawnValue& x) {
  if (x.dtype != DBK_F16 && x.dtype != DBK_F32) return x;
  return cast(x, x.dtype == DBK_F16 ? DBK_F32 : DBK_F16);
}

DrawnValue DrawnGraph::reduced(const char* op, const DrawnValue& x, const std::vector<int64_t>& axes, bool keepdims) {
  const std::string_view name = op;
  Dim dims;
  int64_t terms = 1;
  bool may_be_empty = false;
  for (size_t i = 0; i < x.rank(); ++i) {
    const bool gone = std::ranges::find(axes, static_cast<int64_t>(i)) != axes.end();
    if (gone) terms *= x.most(i), may_be_empty = may_be_empty || x.dims[i] == kOpen || x.dims[i] == 0;
    if (!gone || keepdims) dims.push_back(gone ? 1 : x.dims[i]);
  }
  DrawnValue y = node(op, {x, integers(axes)}, {{"keepdims", keepdims ? 1 : 0}}, std::move(dims), x.dtype);
  const auto n = static_cast<double>(std::max<int64_t>(terms, 1));
  const double sum = n * 0x1p-23 * x.bound;  // roundings of the sum, in f32 at least
  if (may_be_empty && name != "ReduceSum") y.wild = true;
  if (name == "ReduceSum") return bounded(y, n * x.bound, n * (x.error + (x.whole ? 0 : sum)), 2, x.whole);
  if (name == "ReduceMean") return bounded(y, x.bound, x.error + sum, 4);
  if (name == "ReduceL2") return bounded(y, std::sqrt(n) * x.bound, std::sqrt(n) * x.error + n * sum, 8);
  return bounded(y, x.bound, x.error, 0, x.whole);  // ReduceMax, ReduceMin
}

DrawnValue DrawnGraph::matmul(const DrawnValue& a, const DrawnValue& b) {
  Dim dims = *broadcast(Dim(a.dims.begin(), a.dims.end() - 2), Dim(b.dims.begin(), b.dims.end() - 2));
  dims.insert(dims.end(), {a.dims[a.rank() - 2], b.dims.back()});
  return product_of(node("MatMul", {a, b}, {}, std::move(dims), a.dtype), a, b, a.most(a.rank() - 1));
}

DrawnValue DrawnGraph::product_of(DrawnValue y, const DrawnValue& a, const DrawnValue& b, int64_t terms) {
  const auto n = static_cast<double>(terms);
  const bool whole = a.whole && b.whole;
  const double bound = n * a.bound * b.bound, sums = whole ? 0 : n * 0x1p-23 * bound;
  return bounded(y, bound, n * (a.bound * b.error + a.error * b.bound + a.error * b.error) + sums, 2, whole);
}

DrawnValue DrawnGraph::transposed(const DrawnValue& x, const std::vector<int64_t>& perm) {
  Dim dims;
  for (int64_t axis : perm) dims.push_back(x.dims[static_cast<size_t>(axis)]);
  return moved("Transpose", {x}, std::move(dims), {{"perm", perm}});
}

// Numbers that move by e change a quotient of exponentials by 2 e of itself.
DrawnValue DrawnGraph::softmax(const DrawnValue& x, int64_t axis) {
  const auto n = static_cast<double>(x.most(static_cast<size_t>(axis)));
  const DrawnValue y = node("Softmax", {x}, {{"axis", axis}}, x.dims, x.dtype);
  return bounded(y, 1, 2 * std::min(x.error, 1.0) + (2 * x.bound + n) * 0x1p-23, 12);
}

void DrawnGraph::finish() {
  std::set<uint32_t> seen;
  for (const DrawnValue& v : values_)
    if (v.name[0] == 'v' && seen.insert(v.value.id).second && (!read_.contains(v.value.id) || chance(8))) outputs_.push_back(v);
  if (outputs_.empty()) outputs_.push_back(sloped("Neg", values_.front(), 1, 0));
  for (DrawnValue& v : outputs_) {
    if (v.dtype != DBK_F32) v = cast(v, DBK_F32);
    g_.output(v.value, std::format("y{}", v.name));
    text_ += std::format("  output {}: up to {:.3g}, error {:.3g}\n", v.name, v.bound, v.error);
  }
}

}  // namespace graphs
