// ReverseSequence: both orders of batch and time, lengths from none to all, rows of every width, every type bit for bit.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases reverse_sequence_cases(const dbk::OpRow& row) {
  Cases cases;
  const auto add = [&](const char* name, const Operand& x, const Operand& lengths, int64_t time) {
    cases.push_back({std::string(name) + (time ? " batch first" : " time first"), {x, lengths}, {{"time_axis", time}, {"batch_axis", 1 - time}}});
  };
  for (int64_t time : {0, 1}) {
    for (DType dtype : dtypes_of(row, 0)) add("dtype", bits(dtype, {4, 4, 3}), list(DBK_I64, {4}, {4, 0, 3, 1}), time);
    for (DType dtype : {DBK_F32, DBK_F16, DBK_I64}) {
      for (int64_t size : kSizes) add("width", bits(dtype, {3, 3, size}), list(DBK_I64, {3}, {2, 3, 1}), time);
      for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
        add(name_of(layout), bits(dtype, {3, 3, 5}).in(layout), list(DBK_I64, {3}, {2, 3, 0}), time);
      add("matrix", bits(dtype, {5, 5}), tensor(DBK_I64, {5}).within(0, 5), time);
      add("many", bits(dtype, {257, 257}), tensor(DBK_I64, {257}).within(0, 257), time);
      add("nothing", bits(dtype, {0, 0, 2}), list(DBK_I64, {0}, {}), time);
    }
  }
  return cases;
}

}  // namespace ops
