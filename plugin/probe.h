// A small graph that runs on a device to be measured: compiled, bound to invented numbers and run like a host's, but counted nowhere.
#pragma once

#include "plugin/run.h"
#include "plugin/sums.h"

namespace dbk {

class Probe {
 public:
  // Parameters without data and inputs get probe_numbers. `sums`: of each node, where they are all alike.
  Probe(Context& context, uint32_t device, Graph graph, const Options& options, const Sums& sums = {});
  ~Probe();
  Probe(const Probe&) = delete;

  void run();  // to the end; results stay on the device
  double microseconds();  // of one more run
  const Sums& sums() const { return sums_; }
  uint32_t outputs() const;
  const TensorType& output_type(uint32_t index) const;
  std::vector<std::byte> output(uint32_t index);

 private:
  Sums sums_;
  std::shared_ptr<Executable> exec_;
  std::shared_ptr<Run> run_;
};

}  // namespace dbk
