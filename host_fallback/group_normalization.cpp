#include "host_fallback/group_normalization.h"

#include "host_fallback/op.h"
#include "host_fallback/moments.h"
#include "host_fallback/parallel.h"

namespace dbk {

ChannelGroups channel_groups(const Attributes& attrs, uint32_t version, const Shape& x) {
  if (x.rank() < 2) fail(DBK_INVALID_ARGUMENT, "the input of shape {} has no channels", to_string(x));
  ChannelGroups g{x[0], x[1], 1, 1, false};
  for (uint32_t d = 2; d < x.rank(); ++d) g.inner *= x[d];
  if (!attrs.has("num_groups")) return g;
  g.groups = attrs.integer("num_groups");
  if (g.groups < 1 || x[1] % g.groups != 0)
    fail(DBK_INVALID_ARGUMENT, "num_groups is {}, which does not divide {} channels", g.groups, x[1]);
  g.channels = x[1] / g.groups;
  g.factors_of_groups = version < 21;
  return g;
}

void infer_groups(Infer& infer) {
  const ChannelGroups g = channel_groups(infer.attrs(), infer.version(), infer.shape(0));
  for (size_t i : {1, 2})
    if (infer.shape(i) != Shape{g.factors()})
      fail(DBK_INVALID_ARGUMENT, "{} of shape {} for {} {}", i == 1 ? "scale" : "bias", to_string(infer.shape(i)),
           g.factors(), g.factors_of_groups ? "groups" : "channels");
  const int64_t stash = infer.attrs().integer_or("stash_type", 1);
  if (!contains(FLOATS, dtype_of_onnx(stash))) fail(DBK_INVALID_ARGUMENT, "stash_type is {}, which is no float type", stash);
  infer.out(0, infer.in(0).dtype, infer.shape(0));
}

void compute_groups(Compute& c) {
  if (c.out(0).count() == 0) return;
  const ChannelGroups g = channel_groups(c.attrs(), c.version(), c.in(0).shape());
  const double epsilon = c.attrs().real("epsilon");
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const T *in = c.in(0).as<T>(), *scale = c.in(1).as<T>(), *bias = c.in(2).as<T>();
    T* out = c.out(0).as<T>();
    const int64_t length = g.channels * g.inner;
    parallel_ranges(g.batch * g.groups, grain_of(length), [=](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const Moments moments = moments_of(in + row * length, length, epsilon);
        for (int64_t channel = 0; channel < g.channels; ++channel) {
          const int64_t group = row % g.groups, at = row * length + channel * g.inner;
          const int64_t factor = g.factors_of_groups ? group : group * g.channels + channel;
          normalize_plane(in + at, out + at, g.inner, moments, scale[factor], bias[factor]);
        }
      }
    });
  });
}

extern constinit const HostOp host_group_normalization{FLOATS, 0, infer_groups, compute_groups};

}  // namespace dbk
