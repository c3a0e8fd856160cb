#include "work.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace bench {

using nlohmann::json;

namespace {

json devices_in(const daybreak::Context& context, const char* report) {
  return json::parse(context.report(report)).at("devices");
}

double time_of(double amount, double per_second) { return amount == 0 ? 0 : amount / per_second; }

}  // namespace

std::vector<Peak> measured_peaks(const daybreak::Context& context) {
  json devices;
  try {
    devices = devices_in(context, "calibration");
  } catch (const daybreak::Error&) {  // switched off
    devices = devices_in(context, "device");
  }
  std::vector<Peak> peaks;
  for (const json& device : devices) {
    const json measured = device.value("measured", json());
    const auto giga = [&](const char* name) {
      return measured.is_object() && measured.at(name).is_number() ? measured.at(name).get<double>() * 1e9 : 0;
    };
    peaks.push_back({giga("matmul_f32_gigaflops"),
                     giga("memory_gigabytes_per_second"),
                     giga("upload_gigabytes_per_second"),
                     giga("readback_gigabytes_per_second"),
                     {{"f16", giga("matmul_f16_gigaflops")}, {"f16_f32acc", giga("matmul_f16_f32acc_gigaflops")}}});
  }
  return peaks;
}

double Peak::flops_of(const std::string& arithmetic) const {
  const auto found = other_flops.find(arithmetic);
  return found != other_flops.end() && found->second > 0 ? found->second : flops;
}

double Work::flops() const {
  double sum = 0;
  for (const Step& step : steps) sum += step.flops;
  return sum;
}

double Work::bytes() const {
  double sum = uploaded + read_back;
  for (const Step& step : steps) sum += step.bytes;
  return sum;
}

double Work::seconds_at(const Peak& peak) const {
  double sum = time_of(uploaded, peak.uploaded) + time_of(read_back, peak.read_back);
  for (const Step& step : steps) sum += std::max(time_of(step.flops, peak.flops_of(step.arithmetic)), time_of(step.bytes, peak.bytes));
  return sum;
}

Work work_of(const daybreak::Executable& exec) {
  Work work;
  const json cost = json::parse(exec.report("cost"));
  for (const json& node : cost.at("nodes"))
    work.steps.push_back({node.at("flops").get<double>(), node.at("bytes").get<double>(), node.at("arithmetic").get<std::string>()});
  return work;
}

}  // namespace bench
