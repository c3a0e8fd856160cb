#include "plugin/cost_model.h"

#include <algorithm>
#include <cmath>

namespace dbk {

namespace {

// Microseconds; nothing takes none, at whatever rate.
double time_of(double amount, double giga_per_second) { return amount == 0 ? 0 : amount / (giga_per_second * 1e3); }

}  // namespace

bool plausible(const DeviceRates& rates) {
  return std::ranges::all_of(kRateFields, [&](const RateField& field) {
    const double value = rates.*field.value;
    return std::isfinite(value) && (value > 0 || (value == 0 && field.value == &DeviceRates::dispatch_microseconds));
  });
}

Work& Work::operator+=(const Work& other) {
  flops += other.flops, bytes += other.bytes, kernels += other.kernels, round_trips += other.round_trips;
  upload_bytes += other.upload_bytes, readback_bytes += other.readback_bytes;
  return *this;
}

double microseconds_of(const Work& work, const DeviceRates& rates) {
  const double arithmetic = time_of(work.flops, rates.matmul_f32_gigaflops);
  const double memory = time_of(work.bytes, rates.memory_gigabytes_per_second);
  return std::max(arithmetic, memory) + work.kernels * rates.dispatch_microseconds + work.round_trips * rates.round_trip_microseconds +
         time_of(work.upload_bytes, rates.upload_gigabytes_per_second) +
         time_of(work.readback_bytes, rates.readback_gigabytes_per_second);
}

}  // namespace dbk
