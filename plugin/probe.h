// A small graph that runs on a device to be measured: compiled, bound to invented numbers and run like a host's, but counted nowhere.
#pragma once

#include "plugin/run.h"

namespace dbk {

class Probe {
 public:
  // Parameters without data and inputs get whole numbers from -1 to 1, so that sums of products are exact in every order.
  Probe(Context& context, uint32_t device, Graph graph, const Options& options, Stats& counts);
  ~Probe();
  Probe(const Probe&) = delete;

  void run();  // to the end; results stay on the device
  double microseconds();  // of one more run
  uint32_t outputs() const;
  const TensorType& output_type(uint32_t index) const;
  std::vector<std::byte> output(uint32_t index);

 private:
  std::shared_ptr<Executable> exec_;
  std::shared_ptr<Run> run_;
};

}  // namespace dbk
