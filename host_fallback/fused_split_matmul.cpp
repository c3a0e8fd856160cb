// FusedSplitMatMul (made by passes): SplitMatMul with an epilogue, whose operands have one element for each column, or one for all.
#include "host_fallback/column_parts.h"
#include "host_fallback/epilogue.h"
#include "host_fallback/host_ops.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const size_t own = product_inputs(infer.attrs());
  TensorType product;
  Infer whole(infer.node(), infer.inputs().first(own), {&product, 1});
  host_matmul.infer(whole);
  const DType result = infer_epilogue(infer, product).dtype;
  const int64_t columns = product.shape[product.shape.rank() - 1];
  for (size_t i = own; i < infer.input_count(); ++i)
    if (const TensorType& type = infer.in(i); type.count() != 1 && (type.count() != columns || type.shape[type.shape.rank() - 1] != columns))
      fail(DBK_INTERNAL, "an operand {} of an epilogue does not meet {} columns that are split", to_string(type.shape), columns);
  std::array<TensorType, ColumnParts::kMost> types;
  Infer parts(infer.node(), infer.inputs().first(own), std::span(types).first(infer.output_count()));
  host_split_matmul.infer(parts);
  for (size_t i = 0; i < infer.output_count(); ++i) infer.out(i, result, types[i].shape);
}

void compute(Compute& c) {
  const ColumnParts parts = column_parts(c.attrs());
  const size_t own = product_inputs(c.attrs());
  std::array<Tensor, ColumnParts::kMost> products;
  std::byte* work = c.work();
  for (size_t i = 0; i < parts.count; ++i) {
    products[i] = product_of(c, c.out(i), work);
    if (products[i].data != c.out(i).data) work += products[i].type.bytes();
  }
  Compute product(c.node(), c.inputs().first(own), std::span(products).first(parts.count));
  host_split_matmul.compute(product);
  for (size_t i = 0; i < parts.count; ++i) {
    std::array<Tensor, Expression::kMaxOperands> operands{products[i]};
    for (size_t e = own; e < c.input_count(); ++e) operands[e - own + 1] = meeting_part(c.in(e), parts, i);
    evaluate(c.attrs().expression("expression"), {operands.data(), c.input_count() - own + 1}, c.out(i));
  }
}

int64_t work_bytes(const Compute& c) { return product_work_bytes(host_matmul, c); }

}  // namespace

extern constinit const HostOp host_fused_split_matmul{.dtypes = FLOATS, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
