#include "plugin/cost_model.h"

#include <algorithm>
#include <cmath>

namespace dbk {

namespace {

// Microseconds; nothing takes none, at whatever rate.
double time_of(double amount, double giga_per_second) { return amount == 0 ? 0 : amount / (giga_per_second * 1e3); }

double gigaflops_of(Arithmetic arithmetic, const DeviceRates& rates) {
  const double own = arithmetic == Arithmetic::F16         ? rates.matmul_f16_gigaflops
                     : arithmetic == Arithmetic::F16F32acc ? rates.matmul_f16_f32acc_gigaflops
                                                           : rates.matmul_f32_gigaflops;
  return own > 0 ? own : rates.matmul_f32_gigaflops;
}

}  // namespace

bool plausible(const DeviceRates& rates) {
  return std::ranges::all_of(kRateFields, [&](const RateField& field) {
    const double value = rates.*field.value;
    const bool may_be_none = field.optional || field.value == &DeviceRates::dispatch_microseconds;
    return std::isfinite(value) && (value > 0 || (value == 0 && may_be_none));
  });
}

const char* to_string(Arithmetic arithmetic) {
  constexpr const char* kNames[] = {"f32", "f16", "f16_f32acc"};
  return kNames[static_cast<size_t>(arithmetic)];
}

double microseconds_of(const Work& work, const DeviceRates& rates) {
  const double arithmetic = time_of(work.flops, gigaflops_of(work.arithmetic, rates));
  const double memory = time_of(work.bytes, rates.memory_gigabytes_per_second);
  return std::max(arithmetic, memory) + work.kernels * rates.dispatch_microseconds + work.round_trips * rates.round_trip_microseconds +
         time_of(work.upload_bytes, rates.upload_gigabytes_per_second) +
         time_of(work.readback_bytes, rates.readback_gigabytes_per_second);
}

}  // namespace dbk
