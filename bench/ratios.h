// Google Benchmark's console report, followed by how each matmul compares with its yardstick in the same run: by
// elapsed time, and by CPU time of all threads, which other work on the machine disturbs less.
#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace bench {

// Names are "op/shape/who"; ratios are between equal op/shape.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  RatioReporter();
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  struct Timing {
    std::string what, who;
    double real, cpu;  // seconds of one run
  };
  void print_against(const Timing& yardstick, const char* compared) const;
  std::vector<Timing> timings_;
};

}  // namespace bench
