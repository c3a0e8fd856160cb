// What is measured on every device of the plugin: products, row and element-wise ops, convolutions, attention, and what
// runs cost besides. Names are KIND/SHAPE/DEVICE; counters are GFLOP/s or GB/s, and of_peak: the part of what the
// device reached when it was measured.
#pragma once

#include "jobs.h"
#include "peaks.h"

namespace bench {

struct Subject {
  const daybreak::Context& context;
  std::vector<daybreak::DeviceInfo> devices;  // usable ones
  std::vector<Peak> peaks;                    // by index of a device
};

std::string short_name(const daybreak::DeviceInfo& device);  // "cpu", "gpu0"

void register_matmul(const Subject& subject);  // with the yardsticks of the machine
void register_rows(const Subject& subject);
void register_conv(const Subject& subject);
void register_attention(const Subject& subject);
void register_overheads(const Subject& subject);

}  // namespace bench
