// Builds without Dawn: no GPU, and the reason.
#include "plugin/context.h"

namespace dbk {

std::vector<std::unique_ptr<Device>> find_gpu_devices(const Options&, const Log&, std::string& why) {
  why = "this build has no GPU support (DAYBREAK_GPU=OFF)";
  return {};
}

}  // namespace dbk
