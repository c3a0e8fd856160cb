// RoiAlign: both modes and both coordinates, fixed and adaptive sampling, regions inside, beyond and empty.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases roi_align_cases(const dbk::OpRow& row) {
  Cases cases;
  const auto add = [&](const char* name, const Operand& x, const Operand& rois, const Operand& batches, const char* mode, int64_t sampling,
                       const char* coordinates) {
    cases.push_back({name, {x, rois, batches},
                     {{"mode", std::string(mode)}, {"sampling_ratio", sampling}, {"output_height", int64_t{3}}, {"output_width", int64_t{5}},
                      {"spatial_scale", 0.625}, {"coordinate_transformation_mode", std::string(coordinates)}}});
  };
  const std::vector<double> regions{0.3, 0.4, 9.7, 8.2, -3.1, 2.2, 4.4, 21.3, 5.25, 5.25, 5.25, 5.25, 7.3, 6.1, 2.2, 3.3};
  for (DType dtype : gpu_dtypes_of(row))
    for (const char* mode : {"avg", "max"})
      for (const char* coordinates : {"half_pixel", "output_half_pixel"})
        for (int64_t sampling : {0, 1, 2, 3}) {
          const Operand rois = reals(dtype, {4, 4}, regions), batches = list(DBK_I64, {4}, {1, 0, 1, 0});
          add(mode, tensor(dtype, {2, 3, 7, 9}), rois, batches, mode, sampling, coordinates);
          add("small", tensor(dtype, {1, 2, 1, 1}), reals(dtype, {1, 4}, regions), list(DBK_I64, {1}, {0}), mode, sampling, coordinates);
          add("no regions", tensor(dtype, {1, 2, 3, 4}), reals(dtype, {0, 4}, {}), list(DBK_I64, {0}, {}), mode, sampling, coordinates);
        }
  for (DType dtype : dtypes_of(row, 0))
    add("dtype", tensor(dtype, {2, 2, 7, 9}), reals(dtype, {2, 4}, regions), list(DBK_I64, {2}, {1, 0}), "avg", 2, "half_pixel");
  cases.push_back(OpCase("version 10", {tensor(DBK_F32, {1, 1, 8, 8}), reals(DBK_F32, {1, 4}, regions), list(DBK_I64, {1}, {0})}).with_opset(10));
  return cases;
}

}  // namespace ops
