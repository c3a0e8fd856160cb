#include "tests/ops/in_double.h"

#include "plugin/graph/schema.h"
#include "tests/ops/awkward.h"
#include "tests/ops/value_maker.h"

namespace ops {

using dbk::HostTensor;

bool is_real(const HostTensor& tensor) { return tensor.type.dtype != DBK_DTYPE_NONE && is_float(tensor.type.dtype); }

HostTensor in_double(const HostTensor& tensor, double (*f)(double)) {
  if (!is_real(tensor)) return tensor;
  std::vector<double> values = numbers(tensor);
  for (double& value : values) value = f(value);
  const auto bytes = std::as_bytes(std::span(values));
  return {{DBK_F64, tensor.type.shape}, {bytes.begin(), bytes.end()}};
}

Tensors in_double(std::span<const HostTensor> tensors, double (*f)(double)) {
  Tensors result;
  for (const HostTensor& tensor : tensors) result.push_back(in_double(tensor, f));
  return result;
}

Tensors run_host(std::string_view op, uint32_t opset, dbk::Attributes attrs, const Tensors& inputs, size_t outputs) {
  return run_host(*dbk::find_op("", op), opset, std::move(attrs), inputs, outputs);
}

Tensors run_host(const dbk::OpRow& row, uint32_t opset, dbk::Attributes attrs, const Tensors& inputs, size_t outputs) {
  const dbk::Schema* schema = dbk::find_schema(row.domain, row.name, opset);
  check_attributes_and_fill_defaults(*schema, attrs);
  const dbk::NodeView node{&attrs, schema->since};
  std::vector<dbk::Tensor> views(inputs.size());
  std::vector<dbk::InferInput> known(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].type.dtype == DBK_DTYPE_NONE) continue;
    views[i] = inputs[i].view();
    known[i] = {&inputs[i].type, &views[i]};
  }
  std::vector<dbk::TensorType> types(outputs);
  dbk::Infer infer(node, known, types);
  row.host->infer(infer);
  Tensors results;
  std::vector<dbk::Tensor> targets;
  for (const dbk::TensorType& type : types)
    results.push_back({type, std::vector<std::byte>(static_cast<size_t>(type.bytes()))});
  for (const HostTensor& result : results) targets.push_back(result.view());
  std::vector<std::byte> work = dbk::work_memory(*row.host, node, views);
  dbk::Compute compute(node, views, targets, work.data());
  row.host->compute(compute);
  return results;
}

}  // namespace ops
