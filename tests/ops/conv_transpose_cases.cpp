// ConvTranspose: one to three axes, strides with and without gaps, dilations, padding of every kind, output padding and
// wanted shapes, groups. Four axes and other types are the host's.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using List = std::vector<int64_t>;

struct Geometry {
  Shape x, w;
  List strides{}, dilations{}, pads{}, output_padding{}, output_shape{};
  int64_t group = 1;
};

OpCase spread(const char* name, DType dtype, const Geometry& g, bool bias = true, Origin origin = Origin::Param) {
  std::vector<Operand> operands{tensor(dtype, g.x), tensor(dtype, g.w).as(origin)};
  if (bias) operands.push_back(tensor(dtype, {g.w[1] * g.group}).as(origin));
  std::vector<dbk::Attribute> attributes{{"group", g.group}};
  for (const auto& [attribute, values] : {std::pair{"strides", g.strides},
                                          {"dilations", g.dilations},
                                          {"pads", g.pads},
                                          {"output_padding", g.output_padding},
                                          {"output_shape", g.output_shape}})
    if (!values.empty()) attributes.push_back({attribute, values});
  return {name, operands, attributes};
}

const std::vector<Geometry>& geometries() {
  static const std::vector<Geometry> list{
      {{1, 1, 1}, {1, 1, 1}},
      {{2, 3, 9}, {3, 5, 3}},
      {{2, 3, 9}, {3, 5, 2}, {3}, {2}, {1, 2}},
      {{1, 3, 5, 7}, {3, 4, 3, 3}, {2, 2}, {}, {1, 1, 1, 1}, {1, 1}},
      {{1, 3, 5, 7}, {3, 9, 2, 2}, {2, 2}},
      {{2, 4, 5, 6}, {4, 3, 3, 2}, {1, 2}, {2, 1}, {0, 1, 2, 0}},
      {{1, 4, 5, 6}, {4, 2, 3, 3}, {2, 3}, {}, {}, {}, {12, 18}},
      {{1, 2, 3, 4, 5}, {2, 3, 2, 3, 2}, {2, 1, 2}, {1, 1, 2}, {0, 1, 0, 1, 0, 0}, {1, 0, 1}},
      {{2, 6, 5, 5}, {6, 2, 3, 3}, {2, 2}, {}, {1, 1, 1, 1}, {}, {}, 3},
      {{1, 8, 6}, {8, 1, 4}, {2}, {}, {1, 1}, {}, {}, 8},
      {{1, 17, 9, 9}, {17, 8, 4, 4}, {2, 2}, {}, {1, 1, 1, 1}},
      {{1, 2, 300}, {2, 3, 5}, {2}, {}, {1, 0}},
      {{1, 2, 3}, {2, 1, 1}, {4}},
      // Large enough for `line`: rows of whole vectors and others, input between zeros along some axes, padding that cuts.
      {{1, 24, 8, 10}, {24, 24, 2, 2}, {2, 2}},
      {{2, 9, 7, 16}, {9, 7, 3, 3}, {}, {}, {1, 1, 1, 1}},
      {{1, 24, 9, 33}, {24, 1, 2, 2}, {2, 2}},
      {{1, 12, 10, 17}, {12, 6, 4, 4}, {2, 2}, {}, {1, 1, 1, 1}, {}, {}, 2},
      {{1, 16, 9, 13}, {16, 5, 3, 3}, {3, 2}, {1, 2}, {1, 4, 2, 3}, {1, 1}},
      {{1, 20, 12, 14}, {20, 8, 1, 1}, {1, 2}, {}, {2, 3, 1, 2}},
      {{1, 6, 4, 5, 18}, {6, 5, 2, 3, 2}, {2, 1, 2}, {}, {0, 1, 0, 1, 0, 0}},
      {{1, 16, 11, 12}, {16, 8, 3, 3}, {3, 3}}};
  return list;
}

}  // namespace

Cases conv_transpose_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    for (const Geometry& g : geometries()) cases.push_back(spread("geometry", dtype, g));
    for (size_t i = 0; i < geometries().size(); i += 3)
      cases.push_back(spread("inputs", dtype, geometries()[i], i % 2 == 0, Origin::Input));
    for (const char* mode : {"SAME_UPPER", "SAME_LOWER", "VALID"}) {
      cases.push_back(spread(mode, dtype, {{1, 2, 4, 5}, {2, 3, 4, 3}, {2, 3}}));
      cases.back().attrs.set("auto_pad", std::string(mode));
      cases.push_back(spread(mode, dtype, {{1, 2, 4, 5}, {2, 3, 4, 3}, {2, 2}, {}, {}, {}, {9, 10}}));
      cases.back().attrs.set("auto_pad", std::string(mode));
    }
    for (const Geometry& g : {Geometry{{0, 3, 9}, {3, 5, 3}}, Geometry{{1, 3, 0}, {3, 5, 3}}, Geometry{{1, 3, 2}, {3, 0, 3}}})
      cases.push_back(spread("empty", dtype, g));
    cases.push_back(spread("four axes", dtype, {{1, 2, 2, 3, 2, 3}, {2, 3, 2, 2, 2, 2}}).at(Place::Host));
  }
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(spread("dtype", dtype, geometries()[3]));
  return cases;
}

}  // namespace ops
