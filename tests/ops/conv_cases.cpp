// Conv: kernels of one to three axes, strides, dilations, every kind of padding, groups up to one channel each, channels
// around a register tile, positions around a workgroup, weights as inputs and as parameters. Four axes and other types are
// the host's.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using List = std::vector<int64_t>;

struct Geometry {
  Shape x, w;
  List strides{}, dilations{}, pads{};
  int64_t group = 1;
};

OpCase convolve(const char* name, DType dtype, const Geometry& g, bool bias = true, Origin origin = Origin::Param) {
  std::vector<Operand> operands{tensor(dtype, g.x), tensor(dtype, g.w).as(origin)};
  if (bias) operands.push_back(tensor(dtype, {g.w[0]}).as(origin));
  std::vector<dbk::Attribute> attributes{{"group", g.group}};
  if (!g.strides.empty()) attributes.push_back({"strides", g.strides});
  if (!g.dilations.empty()) attributes.push_back({"dilations", g.dilations});
  if (!g.pads.empty()) attributes.push_back({"pads", g.pads});
  return {name, operands, attributes};
}

const std::vector<Geometry>& geometries() {
  static const std::vector<Geometry> list{
      {{1, 1, 1}, {1, 1, 1}},
      {{2, 3, 17}, {5, 3, 3}},
      {{2, 3, 17}, {5, 3, 4}, {2}, {3}, {2, 1}},
      {{1, 1, 1021}, {1, 1, 16}, {}, {}, {15, 0}},
      {{2, 3, 9, 11}, {4, 3, 3, 3}},
      {{1, 3, 9, 11}, {7, 3, 3, 3}, {2, 2}, {}, {1, 1, 1, 1}},
      {{1, 5, 9, 11}, {9, 5, 3, 5}, {1, 2}, {2, 1}, {0, 3, 2, 1}},
      {{2, 8, 7, 7}, {16, 8, 1, 1}},
      {{2, 8, 7, 8}, {12, 8, 1, 1}, {2, 2}},
      {{1, 16, 16, 16}, {16, 16, 3, 3}, {}, {}, {1, 1, 1, 1}},
      {{1, 3, 23, 29}, {8, 3, 7, 7}, {2, 2}, {}, {3, 3, 3, 3}},
      {{1, 4, 5, 6, 7}, {6, 4, 3, 2, 3}, {1, 2, 1}, {1, 1, 2}, {1, 0, 2, 1, 1, 0}},
      {{2, 6, 9, 10}, {6, 1, 3, 3}, {}, {}, {1, 1, 1, 1}, 6},
      {{1, 6, 9, 10}, {12, 1, 3, 3}, {2, 1}, {}, {1, 1, 1, 1}, 6},
      {{2, 6, 9, 10}, {9, 2, 3, 3}, {}, {1, 2}, {1, 2, 1, 2}, 3},
      {{2, 64, 5, 5}, {64, 1, 3, 3}, {}, {}, {1, 1, 1, 1}, 64},
      {{2, 17, 33}, {34, 1, 5}, {}, {}, {4, 0}, 17},
      {{1, 4, 3, 3}, {2, 4, 3, 3}},
      {{1, 2, 3, 3}, {2, 2, 2, 2}, {5, 5}, {}, {4, 4, 4, 4}},
      {{1, 1, 70, 71}, {1, 1, 1, 1}},
      {{1, 32, 64}, {33, 32, 1}},
      {{3, 7, 8, 8}, {8, 7, 3, 3}, {}, {}, {1, 1, 1, 1}},
      {{1, 130, 6, 6}, {20, 130, 3, 3}, {}, {}, {1, 1, 1, 1}},
      // Large enough for `line`.
      {{2, 16, 33, 37}, {24, 8, 3, 3}, {2, 3}, {2, 1}, {2, 1, 3, 0}, 2},
      {{1, 8, 9, 10, 11}, {9, 8, 3, 3, 3}, {1, 2, 1}, {}, {1, 1, 1, 1, 1, 1}},
      {{2, 16, 301}, {20, 16, 7}, {}, {2}, {6, 6}},
      {{2, 16, 15, 17}, {18, 16, 1, 1}},
      {{1, 16, 30, 30}, {19, 16, 1, 1}, {2, 2}},
      // And with rows of whole vectors, whose sums lie where the results go: as long as a tile, longer, not a multiple of it; rows by
      // vectors, every second element, every third.
      {{2, 16, 4, 16}, {36, 16, 1, 1}},
      {{1, 37, 6, 6}, {50, 37, 1, 1}},
      {{2, 7, 16, 16}, {21, 7, 3, 3}, {}, {}, {1, 1, 1, 1}},
      {{1, 12, 9, 20}, {24, 6, 3, 5}, {}, {2, 1}, {2, 2, 2, 2}, 2},
      {{1, 5, 40, 41}, {10, 5, 3, 3}, {2, 2}, {}, {1, 1, 1, 1}},
      {{1, 9, 12, 64}, {11, 9, 2, 3}, {3, 3}, {}, {0, 1, 1, 1}},
      {{1, 7, 6, 8, 24}, {6, 7, 3, 3, 3}, {}, {}, {1, 1, 1, 1, 1, 1}},
      {{2, 11, 18, 32}, {11, 1, 7, 7}, {}, {}, {3, 3, 3, 3}, 11},
      {{1, 24, 21, 44}, {48, 1, 3, 3}, {}, {}, {1, 1, 1, 1}, 24},
      {{1, 33, 36, 72}, {33, 1, 5, 5}, {2, 2}, {}, {2, 2, 2, 2}, 33},
      {{1, 40, 30, 36}, {1, 40, 3, 3}, {}, {}, {1, 1, 1, 1}},
      {{1, 1, 500, 132}, {1, 1, 1, 1}}};
  return list;
}

void add_padding(Cases& cases, DType dtype) {
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER", "VALID"})
    for (const Geometry& g : {Geometry{{1, 2, 9, 10}, {3, 2, 4, 3}, {2, 3}}, Geometry{{2, 2, 11}, {4, 2, 4}, {1}, {2}}}) {
      cases.push_back(convolve(mode, dtype, g));
      cases.back().attrs.set("auto_pad", std::string(mode));
    }
}

void add_empty(Cases& cases, DType dtype) {
  for (const Geometry& g : {Geometry{{0, 3, 9}, {5, 3, 3}}, Geometry{{2, 3, 0}, {5, 3, 3}}, Geometry{{2, 0, 9}, {5, 0, 3}},
                            Geometry{{2, 3, 9}, {0, 3, 3}}, Geometry{{1, 2, 0, 4}, {3, 2, 2, 2}, {}, {}, {1, 1, 2, 1}}})
    cases.push_back(convolve("empty", dtype, g));
}

void add_numbers(Cases& cases, DType dtype) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  cases.emplace_back("over f16", std::vector{reals(dtype, {1, 2, 4}, {6e4, 1, 6e4, 2, 6e4, -3, 1, 2}),
                                             reals(dtype, {2, 2, 2}, {6e4, 1, 0, 2, 1, 3, 6e4, 1})});
  cases.emplace_back("specials", std::vector{reals(dtype, {1, 1, 12}, {1, 2, kNan, 4, 5, 6, kInf, 8, 9, 10, -kInf, 12}),
                                             reals(dtype, {2, 1, 2}, {1, 2, 3, -1})});
}

}  // namespace

Cases conv_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    for (const Geometry& g : geometries()) cases.push_back(convolve("geometry", dtype, g));
    for (size_t i = 0; i < geometries().size(); i += 3)
      cases.push_back(convolve("inputs", dtype, geometries()[i], i % 2 == 0, Origin::Input));
    add_padding(cases, dtype);
    add_empty(cases, dtype);
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed}) {
      cases.push_back(convolve("layout", dtype, geometries()[4]));
      cases.back().inputs[0].layout = layout;
    }
    cases.push_back(convolve("four axes", dtype, {{1, 2, 3, 4, 3, 4}, {3, 2, 2, 2, 2, 2}}).at(Place::Host));
    cases.push_back(convolve("grid", dtype, {{65537, 2, 3}, {9, 2, 2}}));
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(convolve("dtype", dtype, geometries()[5]));
    add_numbers(cases, dtype);
  }
  return cases;
}

}  // namespace ops
