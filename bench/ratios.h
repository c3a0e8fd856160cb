// Google Benchmark's console report, followed by how each matmul compares with its yardstick in the same run.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>

namespace bench {

// Names are "op/shape/who"; ratios are between equal op/shape.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  std::map<std::string, std::map<std::string, double>> seconds_;  // op/shape -> who -> time of one run
};

}  // namespace bench
