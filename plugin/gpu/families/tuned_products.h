// What was measured of kernels for products on one adapter, as data: for each kind of product the kernels that were tried, with their
// times, and for each kind of layer with several products the forms. Of two entries of a kind the one stays for which more was tried.
// Executables look at a copy that never changes while they live, so that programs and launches agree. Text form for files.
#pragma once

#include <compare>
#include <map>
#include <optional>

#include "plugin/gpu/families/product.h"

namespace dbk::gpu {

// Products that the same kernels may compute, and the same are best for. Extents that runs may change are rounded up to powers of two;
// those of a weight are exact.
struct ProductKey {
  DType dtype = DBK_F32;
  OperandForm coop = OperandForm::None;  // what `coop` makes of operands; None where adapter, options or precision guard keep it away
  bool trans_a = false, trans_b = false;
  bool weight = false;    // B is one
  bool addend = false;    // Gemm's C
  bool epilogue = false;
  bool cast = false;      // C is f16 of an f32 product, or the other way round
  bool vectors = false;   // n and k are multiples of four; said of extents that were rounded
  int64_t n = 0, k = 0, batch = 0;
  int64_t m = 0;          // last: products of one weight stand side by side

  auto operator<=>(const ProductKey&) const = default;
  // Whether both are products with the same B, with other rows.
  bool same_weight(const ProductKey& other) const;
  std::string text() const;  // for people and files, one word a field: "f32 coop=f16 weight n=384 k=384 batch=1 m=128"
  static std::optional<ProductKey> parse(std::string_view text);
};

ProductKey product_key(const Product& product, const Capabilities& caps);

struct TunedProduct {
  struct Time {
    std::string family, variant;
    double microseconds;
  };
  std::vector<Time> times;  // fastest first; at least one
  Tried tried = Tried::Likely;
};

class TunedProducts {
 public:
  void add(const ProductKey& key, TunedProduct product);
  void add(const TunedProducts& others);
  const TunedProduct* find(const ProductKey& key) const;
  // Layers of several products (graph/projection_form.h), by one line that names them; a kernel is a form there.
  void add_layer(const std::string& about, TunedProduct layer);
  const TunedProduct* find_layer(const std::string& about) const;
  // Products with the same weight and any rows.
  std::vector<const TunedProduct*> of_weight(const ProductKey& key) const;
  size_t size() const { return products_.size() + layers_.size(); }

  std::string text() const;
  static std::optional<TunedProducts> parse(std::string_view text);  // nullopt: not a text of this class, as a whole

 private:
  std::map<ProductKey, TunedProduct, std::less<>> products_;
  std::map<std::string, TunedProduct, std::less<>> layers_;
};

}  // namespace dbk::gpu
