// Training steps: one tensor and several, the first step and a later one, both types, results that nobody wants.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases training_cases(const dbk::OpRow& row) {
  Cases cases;
  const int64_t states = row.id == "adam" ? 2 : 1;
  const auto add = [&](const char* name, DType dtype, const std::vector<Shape>& shapes, int64_t steps, std::vector<dbk::Attribute> attrs) {
    std::vector<Operand> operands{reals(dtype, {}, {0.125}), list(DBK_I64, {}, {steps})};
    for (int64_t role = 0; role < 2 + states; ++role)
      for (const Shape& shape : shapes) operands.push_back(role == 1 + states ? tensor(dtype, shape).within(0, 2) : tensor(dtype, shape));
    attrs.push_back({"norm_coefficient", 0.0625});
    OpCase test(name, operands, attrs);
    test.opset = 1;
    cases.push_back(test.wanting(std::vector<bool>(shapes.size() * static_cast<size_t>(1 + states), true)));
  };
  for (DType dtype : {DBK_F32, DBK_F64})
    for (int64_t steps : {0, 3})
      for (const char* mode : {"standard", "nesterov"}) {
        std::vector<dbk::Attribute> attrs;
        if (row.id == "momentum") attrs = {{"mode", std::string(mode)}, {"alpha", 0.9}, {"beta", 0.75}};
        else if (mode[0] == 'n') continue;
        for (int64_t size : kSizes) add("size", dtype, {{size}}, steps, attrs);
        add("several", dtype, {{2, 3}, {5}, {}}, steps, attrs);
        cases.push_back(cases.back());
        cases.back().outputs[1] = false;
        cases.back().name += " one unwanted";
      }
  return cases;
}

}  // namespace ops
