// Generator of the second pass of products whose k is cut (split_k.h): the sums of all parts of an element are added in the order of the
// parts; then comes what every product does with a sum.
#pragma once

#include "plugin/gpu/families/product_text.h"

namespace dbk::gpu {

std::string sum_parts_text(const ProductForm& form);
std::string sum_parts_label(const ProductForm& form);

}  // namespace dbk::gpu
