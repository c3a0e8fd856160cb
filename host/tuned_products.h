// Products whose kernels a plugin has measured, from its report `placement`.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace host {

struct TunedProduct {
  struct Kernel {
    std::string name;  // family and variant
    double microseconds;
  };
  std::string about;            // "f32 weight n=384 k=384 batch=1 m=128"
  std::vector<Kernel> kernels;  // that were measured, fastest first
  std::string rule;             // the kernel that would be taken without measurements
  bool in_part = false;         // the time for measuring ended before others

  // How many times as long as the fastest the rule's kernel takes; 0 where it was not measured.
  double slowness_of_rule() const;
};

// Products that share an input, in the forms that were measured.
struct TunedLayer {
  std::string about;         // "128 rows x 384 by [384,384,384]"
  std::string form;          // that is taken
  std::map<std::string, double> microseconds;

  bool operator==(const TunedLayer&) const = default;
};
std::vector<TunedLayer> layers_of(const nlohmann::json& placement);  // each kind once

// Each kind of product once, those without times with no kernels.
std::vector<TunedProduct> products_of(const nlohmann::json& placement);

// "line 4x16-whole 312 us   rule: the same   others: lane 6x16 801 us" and so on, a line for each product, and a summary.
std::string tuned_text(const std::vector<TunedProduct>& products);
std::string tuned_text(const std::vector<TunedLayer>& layers);  // empty where there are none
nlohmann::json tuned_json(const std::vector<TunedProduct>& products);  // array of products
nlohmann::json tuned_json(const std::vector<TunedLayer>& layers);
nlohmann::json tuned_summary(const std::vector<TunedProduct>& products);

}  // namespace host
