// How long work takes on a device, from what was measured of it: the basis of the default device and of the estimates in reports. Plain
// arithmetic; no device is asked.
#pragma once

#include "plugin/graph/infer.h"

namespace dbk {

// What was measured of a device. Giga is 10^9; a fused multiply-add is two operations. Rates of products are of large ones with the kernels
// that the device takes for them, transfers not counted.
struct DeviceRates {
  double round_trip_microseconds = 0;  // of a run that computes next to nothing
  double dispatch_microseconds = 0;    // of one more kernel in a run
  double upload_gigabytes_per_second = 0;
  double readback_gigabytes_per_second = 0;
  double memory_gigabytes_per_second = 0;  // read and written by an element-wise kernel
  double matmul_f32_gigaflops = 0;         // a second
  double matmul_f16_gigaflops = 0;         // of f16 elements; 0: the device computes none
  double matmul_f16_f32acc_gigaflops = 0;  // of f32 elements with precision=f16_f32acc; 0: it computes f32 all the same
};

struct RateField {
  const char* name;
  double DeviceRates::*value;
  bool optional = false;  // 0 where a device does not have it; files and other devices may lack it
};
inline constexpr RateField kRateFields[] = {
    {"round_trip_microseconds", &DeviceRates::round_trip_microseconds},
    {"dispatch_microseconds", &DeviceRates::dispatch_microseconds},
    {"upload_gigabytes_per_second", &DeviceRates::upload_gigabytes_per_second},
    {"readback_gigabytes_per_second", &DeviceRates::readback_gigabytes_per_second},
    {"memory_gigabytes_per_second", &DeviceRates::memory_gigabytes_per_second},
    {"matmul_f32_gigaflops", &DeviceRates::matmul_f32_gigaflops},
    {"matmul_f16_gigaflops", &DeviceRates::matmul_f16_gigaflops, true},
    {"matmul_f16_f32acc_gigaflops", &DeviceRates::matmul_f16_f32acc_gigaflops, true},
};
// Whether all of them can be divided by and multiplied with.
bool plausible(const DeviceRates& rates);

// What products are computed in: which of the rates they take.
enum class Arithmetic : uint8_t { F32, F16, F16F32acc };
const char* to_string(Arithmetic arithmetic);

// Of a node or of a run.
struct Work {
  double flops = 0, bytes = 0;                     // bytes: read and written by kernels
  double kernels = 0, round_trips = 0;
  double upload_bytes = 0, readback_bytes = 0;
  Arithmetic arithmetic = Arithmetic::F32;         // of the flops
};

// Kernels overlap arithmetic with memory: the slower of the two counts, node by node; everything else adds up. A device without a rate for
// the arithmetic is taken to compute in f32.
double microseconds_of(const Work& work, const DeviceRates& rates);

// A small transformer on one sentence (MiniLM, 128 tokens): what devices are ranked by.
inline constexpr Work kReferenceRun{2.8e9, 150e6, 60, 1, 4e3, 200e3};

// One node whose types are known, where it runs as a kernel. Products, convolutions and attention count their multiplications; other ops one
// operation per element of the result. `precision`: of the graph.
Work work_of(const Node& node, const Types& types, Precision precision);

}  // namespace dbk
