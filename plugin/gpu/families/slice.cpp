// Slice: the output in order, the input at a start and strides that include the steps, negative ones too. Bounds are
// attributes in version 1 and operands known on the host afterwards; the output's extents come from the shape rule.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"

namespace dbk::gpu {

namespace {

constexpr size_t kStarts = 1, kAxes = 3, kSteps = 4;  // inputs

bool known(const TypedNode& node, size_t i) { return !node.has(i) || (i < node.values.size() && node.values[i]); }

// Operand `i`, or attribute `name`, or nothing.
std::vector<int64_t> list_of(const TypedNode& node, size_t i, std::string_view name) {
  if (node.has(i)) return to_integers(*node.values[i]);
  return node.attrs->has(name) ? node.attrs->integers(name) : std::vector<int64_t>{};
}

int64_t first_of(int64_t start, int64_t step, int64_t extent) {
  if (start < 0) start += extent;
  return std::clamp<int64_t>(start, 0, step < 0 ? extent - 1 : extent);
}

Box box_of(const TypedNode& node) {
  const Shape& in = node.inputs[0].shape;
  const Shape& out = node.outputs[0].shape;
  const std::vector<int64_t> starts = list_of(node, kStarts, "starts"), axes = list_of(node, kAxes, "axes"),
                             steps = list_of(node, kSteps, "steps");
  const Shape dense = dense_strides(in);
  Shape strides = dense;
  int64_t start = 0;
  if (out.count() > 0) {
    for (size_t i = 0; i < starts.size(); ++i) {
      const uint32_t d = axes.empty() ? static_cast<uint32_t>(i) : normalize_axis(axes[i], in.rank());
      const int64_t step = steps.empty() ? 1 : steps[i];
      start += first_of(starts[i], step, in[d]) * dense[d];
      strides[d] *= step;
    }
  }
  return {{out, {strides, dense_strides(out)}}, start};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  for (size_t i = kStarts; i <= kSteps; ++i)
    if (!known(node, i)) return "bounds are not known before the run";
  // Only the elements move to the device; the bounds stay on the host.
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  if (std::string reason = refuse_operands(moved, caps); !reason.empty()) return reason;
  return refuse_rank(box_of(node).loop);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  move_programs(node.inputs[0].dtype, dims_for(node.inputs[0].shape.rank()), out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  push_move(box_of(node), node.inputs[0].dtype, dims_for(node.inputs[0].shape.rank()), 0, caps, out);
}

}  // namespace

constinit const Family kSlice{"slice", refuse, programs, launch};

}  // namespace dbk::gpu
