// Pooling and sampling.
#include "tests/wgsl/example_families.h"

namespace wgsl::families {

void pool(const OpRow& op, DType t, Nodes& out) {
  const auto with = [](int64_t p) { return attributes({{"auto_pad", std::string("NOTSET")}, {"p", p}, {"storage_order", int64_t{0}}}); };
  if (op.id == "global_lp_pool") {
    for (int64_t p : {2, 3}) out.push_back({&op, with(p), {{t, {2, 3, 9, 9}}}, {{t, {2, 3, 1, 1}}}});
    return;
  }
  Attributes attrs = with(2);
  attrs.set("kernel_shape", List{3, 3});
  out.push_back({&op, attrs, {{t, {2, 3, 9, 9}}}, {{t, {2, 3, 7, 7}}}});
  if (op.id == "max_pool")
    out.push_back({&op, attrs, {{t, {2, 3, 9, 9}}}, {{t, {2, 3, 7, 7}}, {DBK_I64, {2, 3, 7, 7}}}});
}

void resize(const OpRow& op, DType t, Nodes& out) {
  Attributes attrs = attributes({{"coordinate_transformation_mode", std::string("half_pixel")}, {"nearest_mode", std::string("floor")},
                                 {"cubic_coeff_a", -0.75}, {"exclude_outside", int64_t{0}}, {"extrapolation_value", 0.0}});
  const auto node = [&](const char* mode, const Shape& to, std::vector<int64_t> sizes) {
    Attributes all = attrs;
    all.set("mode", std::string(mode));
    out.push_back({&op, all, {{t, {2, 5}}, {}, {}, {DBK_I64, {2}}}, {{t, to}}, 19, std::move(sizes), false, 0b1000});
  };
  if (op.id == "upsample") return;
  node("nearest", {2, 9}, {2, 9});
  if (!contains(F32 | F16 | I8 | U8 | I16 | U16, t)) return;
  node("linear", {3, 9}, {3, 9});
  node("cubic", {2, 4000}, {2, 4000});
}

void grid_sample(const OpRow& op, DType t, Nodes& out) {
  for (const char* mode : {"nearest", "linear", "cubic"})
    for (const char* padding : {"zeros", "border", "reflection"})
      out.push_back({&op, attributes({{"mode", std::string(mode)}, {"padding_mode", std::string(padding)}, {"align_corners", int64_t{0}}}),
                     {{t, {2, 3, 5, 6}}, {DBK_F32, {2, 4, 4, 2}}}, {{t, {2, 3, 4, 4}}}});
}

void roi_align(const OpRow& op, DType t, Nodes& out) {
  for (const char* mode : {"avg", "max"})
    out.push_back({&op, attributes({{"mode", std::string(mode)}, {"coordinate_transformation_mode", std::string("half_pixel")},
                                    {"output_height", int64_t{2}}, {"output_width", int64_t{3}}, {"sampling_ratio", int64_t{2}}, {"spatial_scale", 1.0}}),
                   {{t, {2, 3, 5, 6}}, {t, {4, 4}}, {DBK_I64, {4}}}, {{t, {4, 3, 2, 3}}}});
}

}  // namespace wgsl::families
