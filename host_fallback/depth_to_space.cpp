// DepthToSpace: channels moved into blocks of space. In mode DCR the block is the channels' outer part, in CRD the inner.
#include "host_fallback/space_and_depth.h"

namespace dbk {

namespace {

bool depth_first(const Attributes& attrs) { return !attrs.has("mode") || attrs.text("mode") == "DCR"; }

void infer(Infer& infer) {
  const Shape& in = infer.shape(0);
  const int64_t b = block_size(infer);
  if (infer.attrs().has("mode") && !depth_first(infer.attrs()) && infer.attrs().text("mode") != "CRD")
    fail(DBK_INVALID_ARGUMENT, "mode is '{}', not 'DCR' or 'CRD'", infer.attrs().text("mode"));
  if (in[1] % (b * b) != 0) fail(DBK_INVALID_ARGUMENT, "{} channels are no multiple of {} times {}", in[1], b, b);
  infer.out(0, infer.in(0).dtype, {in[0], in[1] / (b * b), in[2] * b, in[3] * b});
}

}  // namespace

SplitAxes depth_to_space_axes(const Attributes& attrs, const Shape& in) {
  const int64_t b = attrs.integer("blocksize"), c = in[1] / (b * b), plane = in[2] * in[3];
  const bool outer = depth_first(attrs);
  const int64_t of_channel = outer ? plane : b * b * plane, of_row = outer ? b * c * plane : b * plane, of_column = outer ? c * plane : plane;
  return {{in[0], c, in[2], b, in[3], b}, {in[1] * plane, of_channel, in[3], of_row, 1, of_column}};
}

namespace {

void compute(Compute& c) { copy_axes(c, depth_to_space_axes(c.attrs(), c.in(0).shape())); }

}  // namespace

extern constinit const HostOp host_depth_to_space{MOVABLE, 0, infer, compute};

}  // namespace dbk
