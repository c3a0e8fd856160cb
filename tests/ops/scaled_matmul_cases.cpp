// MatMulIntegerToFloat and MatMulNBits, GatherBlockQuantized: codes with scales that give real numbers. Products of bytes are f32 on GPUs, else the
// host's.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

struct Problem {
  int64_t m, n, k, block;
};

}  // namespace

Cases scaled_matmul_cases(const dbk::OpRow&) {
  Cases cases;
  for (DType real : {DBK_F32, DBK_F16})
    for (const auto& [a, b] : {std::pair{DBK_U8, DBK_I8}, {DBK_I8, DBK_I8}, {DBK_U8, DBK_U8}}) {
      const auto scales = [&](const Shape& shape) { return tensor(real, shape).within(0.001, 0.01); };
      cases.push_back({"plain", {bits(a, {5, 7}), bits(b, {7, 9}), scales({}), scales({})}});
      cases.push_back({"columns",
                       {bits(a, {2, 5, 8}), bits(b, {8, 12}), scales({1}), scales({12}), bits(a, {}), bits(b, {12}),
                        tensor(real, {12}).within(-1, 1)}});
      cases.push_back({"bias",
                       {bits(a, {65, 33}), bits(b, {33, 18}), scales({}), scales({}), absent, absent,
                        tensor(real, {18}).within(-1, 1)}});
      cases.push_back({"weight",
                       {bits(a, {2, 5, 70}), bits(b, {70, 12}).as(Origin::Param), scales({}), scales({12}), bits(a, {}), bits(b, {12})}});
      cases.push_back({"vector", {bits(a, {8}), bits(b, {8, 4}), scales({}), scales({})}});
      cases.push_back({"empty", {bits(a, {0, 8}), bits(b, {8, 4}), scales({}), scales({})}});
    }
  for (OpCase& test : cases)
    if (test.inputs[2].dtype == DBK_F16) test = test.at(Place::Host);
  return cases;
}

Cases block_matmul_cases(const dbk::OpRow&) {
  Cases cases;
  for (DType real : {DBK_F32, DBK_F16, DBK_BF16})
    for (int64_t width : {2, 4, 8})
      for (const Problem& p : {Problem{1, 1, 16, 16},
                               {3, 5, 32, 16},
                               {5, 17, 48, 32},
                               {4, 8, 64, 64},
                               {67, 33, 96, 32},
                               {1, 65, 257, 128},
                               {0, 4, 16, 16}}) {
        const int64_t blocks = (p.k + p.block - 1) / p.block, zero_bytes = (blocks * width + 7) / 8;
        const std::vector<dbk::Attribute> attrs{{"N", p.n}, {"K", p.k}, {"block_size", p.block}, {"bits", width}};
        const Operand a = tensor(real, {p.m, p.k}),
                      b = bits(DBK_U8, {p.n, blocks, p.block * width / 8}).as(Origin::Param),
                      scales = tensor(real, {p.n * blocks}).within(0.01, 0.1).as(Origin::Param);
        cases.push_back({"plain", {a, b, scales}, attrs});
        cases.push_back({"zeros", {a, b, scales, bits(DBK_U8, {p.n * zero_bytes})}, attrs});
        cases.push_back({"real zeros and bias",
                         {a, b, scales, tensor(real, {p.n * blocks}).within(0, 3), absent, tensor(real, {p.n})},
                         attrs});
      }
  return cases;
}

Cases block_gather_cases(const dbk::OpRow&) {
  Cases cases;
  const Operand indices = list(DBK_I64, {2, 3}, {0, -1, 4, 2, -5, 1});
  for (DType real : {DBK_F32, DBK_F16}) {
    const auto scales = [&](const Shape& shape) { return tensor(real, shape).within(0.1, 2); };
    for (int64_t width : {4, 8}) {
      const std::vector<dbk::Attribute> attrs{{"bits", width}, {"block_size", int64_t{16}}};
      cases.push_back({"bytes", {bits(DBK_U8, {5, 32 * width / 8}), indices, scales({5, 2})}, attrs});
      cases.push_back(
          {"zeros",
           {bits(DBK_U8, {5, 48 * width / 8}), indices, scales({5, 3}), bits(DBK_U8, {5, (3 * width + 7) / 8})},
           attrs});
    }
    for (DType code : {DBK_I4, DBK_U4}) {
      cases.push_back({"codes",
                       {bits(code, {5, 3, 33}), indices, scales({5, 3, 3}), bits(code, {5, 3, 3})},
                       {{"block_size", int64_t{16}}, {"quantize_axis", int64_t{-1}}}});
      cases.push_back({"axes",
                       {bits(code, {32, 5}), indices, scales({2, 5})},
                       {{"block_size", int64_t{16}}, {"quantize_axis", int64_t{0}}, {"gather_axis", int64_t{1}}}});
    }
  }
  return cases;
}

}  // namespace ops
