// Constant: the value held by exactly one of its attributes.
#include "host_fallback/op.h"
#include "host_fallback/movement.h"

namespace dbk {

namespace {

constexpr const char* kNames[] = {"value",        "value_int",    "value_ints",    "value_float",
                                  "value_floats", "value_string", "value_strings", "sparse_value"};

void infer(Infer& infer) {
  const Attributes& attrs = infer.attrs();
  const char* given = nullptr;
  for (const char* name : kNames) {
    if (!attrs.has(name)) continue;
    if (given) fail(DBK_INVALID_ARGUMENT, "both {} and {} are given", given, name);
    given = name;
  }
  if (!given) fail(DBK_INVALID_ARGUMENT, "no value attribute is given");
  if (attrs.has("value"))
    infer.out(0, attrs.tensor("value").type.dtype, attrs.tensor("value").type.shape);
  else if (attrs.has("value_int"))
    infer.out(0, DBK_I64, {});
  else if (attrs.has("value_ints"))
    infer.out(0, DBK_I64, {static_cast<int64_t>(attrs.integers("value_ints").size())});
  else if (attrs.has("value_float"))
    infer.out(0, DBK_F32, {});
  else if (attrs.has("value_floats"))
    infer.out(0, DBK_F32, {static_cast<int64_t>(attrs.reals("value_floats").size())});
  else
    fail(DBK_UNIMPLEMENTED, "Constant with {} is not implemented", given);
}

void compute(Compute& c) {
  const Attributes& attrs = c.attrs();
  Tensor& out = c.out(0);
  if (attrs.has("value"))
    copy_bytes(attrs.tensor("value").bytes.data(), out.data, out.type.bytes());
  else if (attrs.has("value_int"))
    *out.as<int64_t>() = attrs.integer("value_int");
  else if (attrs.has("value_ints"))
    std::copy_n(attrs.integers("value_ints").data(), out.count(), out.as<int64_t>());
  else if (attrs.has("value_float"))
    *out.as<float>() = static_cast<float>(attrs.real("value_float"));
  else
    std::transform(attrs.reals("value_floats").begin(), attrs.reals("value_floats").end(), out.as<float>(),
                   [](double v) { return static_cast<float>(v); });
}

}  // namespace

extern constinit const HostOp host_constant{STORED, 0, infer, compute};

}  // namespace dbk
