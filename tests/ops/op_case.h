// One node under test: operands, attributes, wanted outputs, and how its operands lie in host memory. Tables of cases
// are functions of a registry row, one file per family (case_tables.h). Nothing here knows a device.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host_fallback/registry.h"

namespace ops {

using dbk::DType;
using dbk::Shape;

// What the elements of an operand are.
enum class Fill : uint8_t {
  Domain,  // seeded, uniform in [low, high], or in the row's domain where both are 0
  Bits,    // seeded, the whole width of the type: for ops that only move
  Sweep,   // all numbers of a type of 16 bits, or as many as there are elements, evenly spaced by their bits
  Reals,   // `reals`, repeated
  List,    // `list`, repeated: axes, shapes, indices, extreme integers
};

// How an operand lies in the host's memory. Outputs take the layout of input 0, except the two that can only be read.
enum class Layout : uint8_t {
  Dense,
  Unaligned,   // dense, one byte behind an aligned address
  Transposed,  // axes in reverse order
  Sliced,      // every other element of every axis of something larger
  Reversed,    // negative strides
  Repeated,    // stride 0 along axis 0
};

enum class Origin : uint8_t { Input, Param, Const };

struct Operand {
  DType dtype = DBK_DTYPE_NONE;  // NONE: an optional input that is absent
  Shape shape;
  Fill fill = Fill::Domain;
  Layout layout = Layout::Dense;
  Origin origin = Origin::Input;
  double low = 0, high = 0;
  std::vector<double> reals;
  std::vector<int64_t> list;

  Operand in(Layout other) const;  // the same operand, lying otherwise
  Operand as(Origin other) const;
  Operand within(double from, double to) const;
};

Operand tensor(DType dtype, const Shape& shape);
Operand bits(DType dtype, const Shape& shape);
Operand sweep(DType dtype, int64_t count);
Operand reals(DType dtype, const Shape& shape, std::vector<double> values);
Operand list(DType dtype, const Shape& shape, std::vector<int64_t> values);
Operand integers(std::vector<int64_t> values, DType dtype = DBK_I64);  // one axis, known to the graph
inline const Operand absent{};

// Where the placement report must find the node on a GPU.
enum class Place : uint8_t {
  ByRow,  // on the device exactly where gpu_dtypes of the row has the main operand, and the device the f16 of any
          // operand
  Host,   // a condition of the family, stated in its file, keeps it off the device
  View,   // costs nothing
  Open,   // binding decides, as shapes come with the run
  Any,    // wherever: the case is about something else
};

struct OpCase {
  std::string name;
  std::vector<Operand> inputs;
  dbk::Attributes attrs;
  Place place = Place::ByRow;
  std::vector<bool> outputs{true};
  uint32_t opset = 20;
  std::string hardware_kernel;  // part of the name of the kernel that must compute it where kernels are those for hardware; empty: any

  // Real attributes are rounded to f32, as ONNX has them.
  OpCase(std::string case_name, std::vector<Operand> operands, std::vector<dbk::Attribute> attributes = {});
  OpCase with_opset(uint32_t version) const;
  OpCase at(Place where) const;
  OpCase wanting(std::vector<bool> which) const;
  OpCase on_hardware(std::string kernel) const;
};

using Cases = std::vector<OpCase>;

// "f32[2, 3] i64[2]": the default name of a case.
std::string describe(const std::vector<Operand>& operands);
const char* name_of(Layout layout);

}  // namespace ops
