// Google Benchmark's console report, followed by how each matmul compares with its yardstick in the same run: medians of
// the repetitions, by elapsed time, and by CPU time of all threads, which other work on the machine disturbs less.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace bench {

double median(std::vector<double> values);  // not empty

// Names are "op/shape/who"; ratios are between equal op/shape.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  RatioReporter();
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  struct Timings {  // seconds of one run, one for each repetition
    std::vector<double> real, cpu;
  };
  void print_against(const std::string& what, const char* yardstick, const char* compared) const;
  std::map<std::string, std::map<std::string, Timings>> timings_;  // by op/shape, by who
};

}  // namespace bench
