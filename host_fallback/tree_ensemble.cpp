// TreeEnsemble: every row of features walks every tree to a leaf, whose weight goes to the leaf's target. Sums are double; then the
// transform of a row's targets.
#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"
#include "host_fallback/scalar_operand.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = F32 | F64 | F16;

enum class Aggregate : uint8_t { Average, Sum, Min, Max };
enum class Transform : uint8_t { None, Softmax, Logistic, SoftmaxZero, Probit };
enum Mode : uint8_t { kAtMost, kBelow, kAtLeast, kAbove, kEqual, kOther, kMember };

// The attributes of a node, each a list over nodes or leaves.
struct Trees {
  const std::vector<int64_t>&features, &true_nodes, &false_nodes, &true_leafs, &false_leafs, &targets, &roots;
  const HostTensor &splits, &modes, &weights;
  const std::vector<int64_t>* missing = nullptr;
  const HostTensor* members = nullptr;
  int64_t n_targets;
  Aggregate aggregate;
  Transform transform;

  explicit Trees(const Attributes& a)
      : features(a.integers("nodes_featureids")), true_nodes(a.integers("nodes_truenodeids")), false_nodes(a.integers("nodes_falsenodeids")),
        true_leafs(a.integers("nodes_trueleafs")), false_leafs(a.integers("nodes_falseleafs")), targets(a.integers("leaf_targetids")),
        roots(a.integers("tree_roots")), splits(a.tensor("nodes_splits")), modes(a.tensor("nodes_modes")), weights(a.tensor("leaf_weights")),
        n_targets(a.integer_or("n_targets", 1)),
        aggregate(choice<Aggregate>(a, "aggregate_function", Aggregate::Max)), transform(choice<Transform>(a, "post_transform", Transform::Probit)) {
    if (a.has("nodes_missing_value_tracks_true")) missing = &a.integers("nodes_missing_value_tracks_true");
    if (a.has("membership_values")) members = &a.tensor("membership_values");
  }
  template <class Choice>
  static Choice choice(const Attributes& a, const char* name, Choice last) {
    const int64_t given = a.integer(name);
    if (given < 0 || given > static_cast<int64_t>(last)) fail(DBK_INVALID_ARGUMENT, "{} is {}, outside [0, {}]", name, given, static_cast<int64_t>(last));
    return static_cast<Choice>(given);
  }
  size_t nodes() const { return features.size(); }
  uint8_t mode(size_t node) const { return modes.view().as<uint8_t>()[node]; }
};

void check_lists(const Trees& t, int64_t features) {
  const size_t nodes = t.nodes(), leaves = t.targets.size();
  const auto check_length = [&](const char* name, size_t length, size_t wanted) {
    if (length != wanted)
      fail(DBK_INVALID_ARGUMENT, "{} has {} numbers, not {} (nodes_featureids has {}, leaf_targetids {})", name, length, wanted, nodes, leaves);
  };
  check_length("nodes_truenodeids", t.true_nodes.size(), nodes);
  check_length("nodes_falsenodeids", t.false_nodes.size(), nodes);
  check_length("nodes_trueleafs", t.true_leafs.size(), nodes);
  check_length("nodes_falseleafs", t.false_leafs.size(), nodes);
  check_length("nodes_splits", static_cast<size_t>(t.splits.type.count()), nodes);
  check_length("nodes_modes", static_cast<size_t>(t.modes.type.count()), nodes);
  check_length("leaf_weights", static_cast<size_t>(t.weights.type.count()), leaves);
  if (t.missing) check_length("nodes_missing_value_tracks_true", t.missing->size(), nodes);
  const auto check = [](const char* name, const std::vector<int64_t>& list, auto limit) {
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i] < 0 || std::cmp_greater_equal(list[i], limit(i))) fail(DBK_INVALID_ARGUMENT, "{} has {} at position {}", name, list[i], i);
  };
  check("nodes_featureids", t.features, [&](size_t) { return features; });
  check("nodes_truenodeids", t.true_nodes, [&](size_t i) { return t.true_leafs[i] ? leaves : nodes; });
  check("nodes_falsenodeids", t.false_nodes, [&](size_t i) { return t.false_leafs[i] ? leaves : nodes; });
  check("leaf_targetids", t.targets, [&](size_t) { return t.n_targets; });
  check("tree_roots", t.roots, [&](size_t) { return nodes; });
}

// Where the members of node i begin, -1 for nodes of another mode; members of one node end with a NaN.
void find_members(const Trees& t, int64_t* start) {
  int64_t at = 0;
  const int64_t count = t.members ? t.members->type.count() : 0;
  for (size_t i = 0; i < t.nodes(); ++i) {
    start[i] = -1;
    if (t.mode(i) != kMember) continue;
    if (at >= count) fail(DBK_INVALID_ARGUMENT, "membership_values has no members for node {}", i);
    start[i] = at;
    while (at < count && !std::isnan(real_at(t.members->view(), at))) ++at;
    ++at;
  }
}

void infer(Infer& infer) {
  const Shape& x = infer.shape(0);
  if (x.rank() != 2) fail(DBK_INVALID_ARGUMENT, "the input has shape {}, not [rows, features]", to_string(x));
  const Trees t(infer.attrs());
  if (t.n_targets < 1) fail(DBK_INVALID_ARGUMENT, "n_targets is {}", t.n_targets);
  check_lists(t, x[1]);
  for (size_t i = 0; i < t.nodes(); ++i)
    if (t.mode(i) > kMember) fail(DBK_INVALID_ARGUMENT, "nodes_modes has {} at position {}", t.mode(i), i);
  std::vector<int64_t> start(t.nodes());
  find_members(t, start.data());
  infer.out(0, infer.in(0).dtype, {x[0], t.n_targets});
}

bool is_member(const Trees& t, int64_t at, double x) {
  for (const Tensor members = t.members->view(); at < members.count(); ++at) {
    const double member = real_at(members, at);
    if (std::isnan(member)) return false;
    if (member == x) return true;
  }
  return false;
}

bool goes_true(const Trees& t, size_t node, double x, const int64_t* members) {
  if (std::isnan(x) && t.missing && (*t.missing)[node] != 0) return true;
  const double split = real_at(t.splits.view(), static_cast<int64_t>(node));
  switch (t.mode(node)) {
    case kAtMost: return x <= split;
    case kBelow: return x < split;
    case kAtLeast: return x >= split;
    case kAbove: return x > split;
    case kEqual: return x == split;
    case kOther: return x != split;
    default: return is_member(t, members[node], x);
  }
}

// The leaf that a row reaches from a root. A tree that is a leaf is a node with that leaf on both sides.
template <class T>
size_t leaf_of(const Trees& t, int64_t root, const T* row, const int64_t* members) {
  auto node = static_cast<size_t>(root);
  for (size_t steps = 0; steps <= t.nodes(); ++steps) {
    const bool yes = goes_true(t, node, static_cast<double>(row[t.features[node]]), members);
    const auto next = static_cast<size_t>((yes ? t.true_nodes : t.false_nodes)[node]);
    if ((yes ? t.true_leafs : t.false_leafs)[node] != 0) return next;
    node = next;
  }
  fail(DBK_INVALID_ARGUMENT, "the tree with root {} has a circle", root);
}

double inverse_normal(double p) {
  // Winitzki's approximation of the inverse error function, as implementations of this transform use it.
  const double x = 2 * p - 1, log = std::log((1 - x) * (1 + x)), v = 2 / (3.14159 * 0.147) + 0.5 * log;
  const double root = std::sqrt(-v + std::sqrt(v * v - log / 0.147));
  return std::sqrt(2.0) * (x < 0 ? -root : root);
}

void apply(Transform transform, double* row, int64_t n) {
  if (transform == Transform::Logistic)
    for (int64_t i = 0; i < n; ++i) row[i] = 1 / (1 + std::exp(-row[i]));
  if (transform == Transform::Probit)
    for (int64_t i = 0; i < n; ++i) row[i] = inverse_normal(row[i]);
  if (transform != Transform::Softmax && transform != Transform::SoftmaxZero) return;
  const auto counts = [&](double x) { return transform == Transform::Softmax || std::fabs(x) > 1e-7; };  // zeros stay
  const double most = *std::max_element(row, row + n);
  double sum = 0;
  for (int64_t i = 0; i < n; ++i)
    if (counts(row[i])) sum += row[i] = std::exp(row[i] - most);
    else row[i] = 0;
  for (int64_t i = 0; i < n; ++i) row[i] /= sum > 0 ? sum : 1;
}

double initial(Aggregate aggregate) {
  return aggregate == Aggregate::Min ? INFINITY : aggregate == Aggregate::Max ? -INFINITY : 0;
}

void add(Aggregate aggregate, double weight, double trees, double& target) {
  switch (aggregate) {
    case Aggregate::Average: target += weight / trees; break;
    case Aggregate::Sum: target += weight; break;
    case Aggregate::Min: target = std::fmin(target, weight); break;
    case Aggregate::Max: target = std::fmax(target, weight); break;
  }
}

void compute(Compute& c) {
  const Trees t(c.attrs());
  const Shape& x = c.in(0).shape();
  auto* members = reinterpret_cast<int64_t*>(c.work());
  auto* row = reinterpret_cast<double*>(members + t.nodes());
  find_members(t, members);
  with_type<kTypes>(c.in(0).type.dtype, [&]<class T>() {
    for (int64_t i = 0; i < x[0]; ++i) {
      std::fill_n(row, t.n_targets, initial(t.aggregate));
      for (int64_t root : t.roots) {
        const size_t leaf = leaf_of(t, root, c.in(0).as<T>() + i * x[1], members);
        add(t.aggregate, real_at(t.weights.view(), static_cast<int64_t>(leaf)), static_cast<double>(t.roots.size()), row[t.targets[leaf]]);
      }
      apply(t.transform, row, t.n_targets);
      for (int64_t k = 0; k < t.n_targets; ++k) c.out(0).as<T>()[i * t.n_targets + k] = number_cast<T>(row[k]);
    }
  });
}

int64_t work_bytes(const Compute& c) {
  const Trees t(c.attrs());
  return 8 * (static_cast<int64_t>(t.nodes()) + t.n_targets);
}

}  // namespace

extern constinit const HostOp host_tree_ensemble{kTypes, 0, infer, compute, 0, nullptr, 0, work_bytes};

}  // namespace dbk
