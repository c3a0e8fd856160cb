// The Vulkan driver below the device under test, where the layer of tests/abi/driver_layer.c stands in front of it.
#pragma once

#include <dlfcn.h>

#include "tests/abi/driver_layer.h"
#include "tests/graphs/graph_test.h"

namespace graphs {

class Driver {
 public:
  // Skips the test where there is no layer, or nothing that it could stand in front of.
  Driver() {
    const char* path = std::getenv("DAYBREAK_TEST_LAYER");
    if (path && on_gpu()) layer_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!layer_) throw Skip("there is no driver to ask on this device");
  }
  ~Driver() { refuse_pipelines(false); }
  Driver(const Driver&) = delete;

  void refuse_pipelines(bool yes) const { reinterpret_cast<decltype(&driver_refuse_pipelines)>(find("driver_refuse_pipelines"))(yes); }

 private:
  void* find(const char* name) const { return dlsym(layer_, name); }

  void* layer_ = nullptr;
};

}  // namespace graphs
