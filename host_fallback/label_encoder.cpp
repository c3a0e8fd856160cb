// LabelEncoder between numbers: each element is replaced by the value that belongs to its key, or by the default. A NaN finds a NaN. Keys and values
// are lists or, since version 4, tensors; strings are not here.
#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = F32 | F64 | I16 | I32 | I64;

// One of the attributes <what>_int64s, <what>_floats and <what>_tensor.
struct NumberList {
  const std::vector<int64_t>* whole = nullptr;
  const std::vector<double>* reals = nullptr;
  const HostTensor* tensor = nullptr;

  NumberList(const Attributes& attrs, const std::string& what) {
    if (attrs.has(what + "_int64s")) whole = &attrs.integers(what + "_int64s");
    else if (attrs.has(what + "_floats")) reals = &attrs.reals(what + "_floats");
    else if (attrs.has(what + "_tensor")) tensor = &attrs.tensor(what + "_tensor");
    else fail(DBK_UNIMPLEMENTED, "{} are strings, or none", what);
  }
  std::string_view kind() const { return whole ? "int64s" : reals ? "floats" : "tensor"; }
  DType dtype() const { return whole ? DBK_I64 : reals ? DBK_F32 : tensor->type.dtype; }
  int64_t size() const {
    return tensor ? tensor->type.count() : static_cast<int64_t>(whole ? whole->size() : reals->size());
  }
  template <class T>
  T at(int64_t i) const {
    if (whole) return number_cast<T>((*whole)[static_cast<size_t>(i)]);
    if (reals) return number_cast<T>((*reals)[static_cast<size_t>(i)]);
    return tensor->view().as<T>()[i];
  }
};

template <class T>
T default_of(const Attributes& attrs, const NumberList& values) {
  if (values.whole) return number_cast<T>(attrs.integer("default_int64"));
  if (values.reals) return number_cast<T>(attrs.real("default_float"));
  if (attrs.has("default_tensor")) return attrs.tensor("default_tensor").view().template as<T>()[0];
  return number_cast<T>(std::is_integral_v<T> ? -1.0 : 0.0);
}

void infer(Infer& infer) {
  if (infer.version() < 2) fail(DBK_UNIMPLEMENTED, "version 1 knows strings alone");
  const NumberList keys(infer.attrs(), "keys"), values(infer.attrs(), "values");
  if (keys.dtype() != infer.in(0).dtype)
    fail(DBK_INVALID_ARGUMENT, "keys are {}, the input is {}", to_string(keys.dtype()), to_string(infer.in(0).dtype));
  if (keys.size() != values.size()) fail(DBK_INVALID_ARGUMENT, "keys_{} has {} numbers and values_{} has {} numbers", keys.kind(), keys.size(), values.kind(), values.size());
  if (!contains(kTypes, values.dtype())) fail(DBK_UNIMPLEMENTED, "values are {}", to_string(values.dtype()));
  if (values.tensor && infer.attrs().has("default_tensor") &&
      !(infer.attrs().tensor("default_tensor").type.dtype == values.dtype() && infer.attrs().tensor("default_tensor").type.count() == 1))
    fail(DBK_INVALID_ARGUMENT, "default_tensor is not one {}", to_string(values.dtype()));
  infer.out(0, values.dtype(), infer.shape(0));
}

template <class K>
bool same(K a, K b) {
  return a == b || (a != a && b != b);
}

void compute(Compute& c) {
  const NumberList keys(c.attrs(), "keys"), values(c.attrs(), "values");
  with_type<kTypes>(c.in(0).type.dtype, [&]<class K>() {
    with_type<kTypes>(c.out(0).type.dtype, [&]<class V>() {
      const V otherwise = default_of<V>(c.attrs(), values);
      for (int64_t i = 0, n = c.in(0).count(); i < n; ++i) {
        const K x = c.in(0).as<K>()[i];
        int64_t k = 0;
        while (k < keys.size() && !same(keys.at<K>(k), x)) ++k;
        c.out(0).as<V>()[i] = k < keys.size() ? values.at<V>(k) : otherwise;
      }
    });
  });
}

}  // namespace

extern constinit const HostOp host_label_encoder{kTypes, 0, infer, compute};

}  // namespace dbk
