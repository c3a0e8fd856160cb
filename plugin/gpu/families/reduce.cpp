// Reductions over any axes: kernels/_reduce.wgsl with the functor kernels/<op>.wgsl. Each output is a row; kept and
// reduced dimensions are collapsed apart and walked by strides, so that nothing is transposed. Pooling over whole channels
// is a reduction of their axes. MeanVarianceNormalization walks rows the same way, and writes them.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/rows.h"
#include "plugin/gpu/families/strides.h"

namespace dbk::gpu {

namespace {

struct Params {  // kept, then reduced dimensions follow
  uint32_t rows, length, pad[2];
};
static_assert(sizeof(Params) == 16);

std::string_view functor_of(const TypedNode& node) {
  if (node.op->id == "global_average_pool") return "reduce_mean";
  if (node.op->id == "global_max_pool") return "reduce_max";
  if (node.op->id == "reduce_mean" && contains(INTS, node.inputs[0].dtype)) return "reduce_mean_integer";
  return node.op->id;
}

bool normalizes(const TypedNode& node) { return node.op->family == kMeanVarianceNormalization.name; }

// kernels/_reduce_fold.wgsl is the frame of all but those that read their rows twice; most of its functors are sums.
bool folds(std::string_view functor) { return functor != "reduce_log_sum_exp" && functor != "mean_variance_normalization"; }
bool adds(std::string_view functor) {
  return folds(functor) && functor != "reduce_max" && functor != "reduce_min" && functor != "reduce_prod";
}

bool axes_known(const TypedNode& node) { return !node.has(1) || (node.values.size() > 1 && node.values[1]); }

// Bit d: axis d is reduced.
uint32_t axes_of(const TypedNode& node) {
  const uint32_t rank = node.inputs[0].shape.rank();
  if (node.op->family == kGlobalPool.name) return static_cast<uint32_t>((uint64_t{1} << rank) - 4);  // behind channels
  std::vector<int64_t> axes;
  if (node.attrs->has("axes")) axes = node.attrs->integers("axes");
  if (node.has(1)) axes = to_integers(*node.values[1]);
  const bool none = normalizes(node) || node.attrs->integer_or("noop_with_empty_axes", 0) != 0;
  if (axes.empty()) return none ? 0 : static_cast<uint32_t>((uint64_t{1} << rank) - 1);
  uint32_t mask = 0;
  for (int64_t axis : axes) mask |= 1u << normalize_axis(axis, rank);
  return mask;
}

// The dimensions of the input whose bit in the mask is `reduced`.
StridedLoop<1> loop_of(const Shape& in, uint32_t mask, bool reduced) {
  const Shape dense = dense_strides(in);
  Shape extent, strides;
  for (uint32_t d = 0; d < in.rank(); ++d) {
    if ((mask >> d & 1) != reduced) continue;
    extent.push_back(in[d]);
    strides.push_back(dense[d]);
  }
  return {extent, {strides}};
}

// Runs of neighbouring axes that are all kept or all reduced: what collapsing leaves at most, whatever the extents.
uint32_t dims_of(const TypedNode& node, bool reduced) {
  const uint32_t rank = node.inputs[0].shape.rank(), mask = axes_of(node);
  uint32_t runs = 0;
  bool inside = false;
  for (uint32_t d = 0; d < rank; ++d) {
    const bool here = (mask >> d & 1) == reduced;
    runs += here && !inside;
    inside = here;
  }
  return dims_for(runs);
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (!axes_known(node)) return "axes are not known before the run";
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  if (std::string reason = refuse_operands(moved, caps); !reason.empty()) return reason;
  for (bool reduced : {false, true})
    if (std::string reason = refuse_rank(loop_of(node.inputs[0].shape, axes_of(node), reduced)); !reason.empty())
      return reason;
  return {};
}

void body(const TypedNode& node, ProgramText& text) {
  text.constant("kept_dims", dims_of(node, false)).constant("reduced_dims", dims_of(node, true));
  text.arithmetic(node.inputs[0].dtype).file("_reduce").file("_divide").file(functor_of(node));
  if (folds(functor_of(node))) text.file("_reduce_fold");
  if (adds(functor_of(node))) text.file("_reduce_sums");
  if (functor_of(node) == "reduce_mean_integer" && contains(I64 | U64, node.inputs[0].dtype)) text.file("_pair_division");
  if (normalizes(node)) text.file("_moments");
  if (contains(FLOATS, node.inputs[0].dtype)) text.file("_math");
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const std::string label = std::format("{}/{}/{}d{}d", functor_of(node), to_string(node.inputs[0].dtype),
                                        dims_of(node, false), dims_of(node, true));
  row_programs(caps, label, 1, 1, body, node, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const uint32_t mask = axes_of(node);
  const StridedLoop<1> kept = loop_of(node.inputs[0].shape, mask, false),
                       reduced = loop_of(node.inputs[0].shape, mask, true);
  const int64_t rows = kept.extent.count(), length = reduced.extent.count();
  std::vector<std::byte> params = to_params(Params{to_u32(rows), to_u32(length), {}});
  append_dims(params, kept, dims_of(node, false));
  append_dims(params, reduced, dims_of(node, true));
  const RowGrid grid = row_grid(rows, length, kept.step(0) == 1 && reduced.step(0) != 1, caps);
  out.push_back({grid.program, {input(0), output(0)}, grid.groups, std::move(params)});
}

}  // namespace

constinit const Family kReduce{"reduce", refuse, programs, launch};
constinit const Family kGlobalPool{"global_pool", refuse, programs, launch};
constinit const Family kMeanVarianceNormalization{"mean_variance_normalization", refuse, programs, launch};

}  // namespace dbk::gpu
