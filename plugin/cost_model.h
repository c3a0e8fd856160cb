// How long work takes on a device, from what was measured of it: the basis of the default device and of the estimates in reports. Plain
// arithmetic; no device is asked.
#pragma once

#include "plugin/graph/infer.h"

namespace dbk {

// What was measured of a device. Giga is 10^9; a fused multiply-add is two operations.
struct DeviceRates {
  double round_trip_microseconds = 0;  // of a run that computes next to nothing
  double dispatch_microseconds = 0;    // of one more kernel in a run
  double upload_gigabytes_per_second = 0;
  double readback_gigabytes_per_second = 0;
  double memory_gigabytes_per_second = 0;  // read and written by an element-wise kernel
  double matmul_f32_gigaflops = 0;         // a second, of a large product, transfers not counted
};

struct RateField {
  const char* name;
  double DeviceRates::*value;
};
inline constexpr RateField kRateFields[] = {
    {"round_trip_microseconds", &DeviceRates::round_trip_microseconds},
    {"dispatch_microseconds", &DeviceRates::dispatch_microseconds},
    {"upload_gigabytes_per_second", &DeviceRates::upload_gigabytes_per_second},
    {"readback_gigabytes_per_second", &DeviceRates::readback_gigabytes_per_second},
    {"memory_gigabytes_per_second", &DeviceRates::memory_gigabytes_per_second},
    {"matmul_f32_gigaflops", &DeviceRates::matmul_f32_gigaflops},
};
// Whether all of them can be divided by and multiplied with.
bool plausible(const DeviceRates& rates);

// Of a node, a part of a graph or a whole run.
struct Work {
  double flops = 0, bytes = 0;                     // bytes: read and written by kernels
  double kernels = 0, round_trips = 0;
  double upload_bytes = 0, readback_bytes = 0;

  Work& operator+=(const Work& other);
};

// Kernels overlap arithmetic with memory: the slower of the two counts, node by node; everything else adds up.
double microseconds_of(const Work& work, const DeviceRates& rates);

// A small transformer on one sentence (MiniLM, 128 tokens): what devices are ranked by.
inline constexpr Work kReferenceRun{2.8e9, 150e6, 60, 1, 4e3, 200e3};

// One node whose types are known, where it runs as a kernel. Products, convolutions and attention count their multiplications; other ops one
// operation per element of the result.
Work work_of(const Node& node, const Types& types);

}  // namespace dbk
