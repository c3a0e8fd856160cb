#include "tests/ops/op_case.h"

namespace ops {

Operand Operand::in(Layout other) const {
  Operand copy = *this;
  copy.layout = other;
  return copy;
}

Operand Operand::as(Origin other) const {
  Operand copy = *this;
  copy.origin = other;
  return copy;
}

Operand Operand::within(double from, double to) const {
  Operand copy = *this;
  copy.low = from;
  copy.high = to;
  return copy;
}

Operand tensor(DType dtype, const Shape& shape) {
  Operand operand;
  operand.dtype = dtype;
  operand.shape = shape;
  return operand;
}

Operand bits(DType dtype, const Shape& shape) {
  Operand operand = tensor(dtype, shape);
  operand.fill = Fill::Bits;
  return operand;
}

Operand sweep(DType dtype, int64_t count) {
  Operand operand = tensor(dtype, {count});
  operand.fill = Fill::Sweep;
  return operand;
}

Operand reals(DType dtype, const Shape& shape, std::vector<double> values) {
  Operand operand = tensor(dtype, shape);
  operand.fill = Fill::Reals;
  operand.reals = std::move(values);
  return operand;
}

Operand list(DType dtype, const Shape& shape, std::vector<int64_t> values) {
  Operand operand = tensor(dtype, shape);
  operand.fill = Fill::List;
  operand.list = std::move(values);
  return operand;
}

Operand integers(std::vector<int64_t> values, DType dtype) {
  const auto count = static_cast<int64_t>(values.size());
  return list(dtype, {count}, std::move(values)).as(Origin::Const);
}

OpCase::OpCase(std::string case_name, std::vector<Operand> operands, std::vector<dbk::Attribute> attributes)
    : name(std::move(case_name)), inputs(std::move(operands)) {
  name += (name.empty() ? "" : ": ") + describe(inputs);
  for (dbk::Attribute& attribute : attributes) {
    if (auto* real = std::get_if<double>(&attribute.value)) *real = static_cast<float>(*real);
    attrs.set(std::move(attribute.name), std::move(attribute.value));
  }
}

OpCase OpCase::with_opset(uint32_t version) const {
  OpCase copy = *this;
  copy.opset = version;
  copy.name += " opset " + std::to_string(version);
  return copy;
}

OpCase OpCase::at(Place where) const {
  OpCase copy = *this;
  copy.place = where;
  return copy;
}

OpCase OpCase::on_hardware(std::string kernel) const {
  OpCase copy = *this;
  copy.hardware_kernel = std::move(kernel);
  return copy;
}

OpCase OpCase::wanting(std::vector<bool> which) const {
  OpCase copy = *this;
  copy.outputs = std::move(which);
  return copy;
}

const char* name_of(Layout layout) {
  constexpr const char* kNames[] = {"dense", "unaligned", "transposed", "sliced", "reversed", "repeated"};
  return kNames[static_cast<size_t>(layout)];
}

std::string describe(const std::vector<Operand>& operands) {
  std::string text;
  for (const Operand& operand : operands) {
    if (!text.empty()) text += ' ';
    if (operand.dtype == DBK_DTYPE_NONE) {
      text += "absent";
      continue;
    }
    text += dbk::to_string(operand.dtype) + dbk::to_string(operand.shape);
    if (operand.layout != Layout::Dense) text += std::string("/") + name_of(operand.layout);
    if (operand.origin != Origin::Input && operand.fill != Fill::List) text += "/weight";
    if (operand.fill != Fill::List || operand.list.size() > 12) continue;
    text += '=';
    for (int64_t value : operand.list) text += std::to_string(value) + ",";
  }
  return text;
}

}  // namespace ops
