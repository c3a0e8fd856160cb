// What the reason of a product's choice says about option precision: why it has no effect, or what is known of the error that f16 brings.
#pragma once

#include "plugin/gpu/families/product.h"

namespace dbk::gpu {

// A part of a sentence; empty where there is nothing to say.
std::string told_of_precision(const TypedNode& node, const Product& product, const Choice& choice, const Capabilities& caps);

}  // namespace dbk::gpu
