// Shows the progress of long calls on stderr: a bar that is rewritten on a terminal, a plain line now and then
// elsewhere. Nothing appears for work under a second.
#pragma once

#include <chrono>
#include <string>

#include "daybreak_options.hpp"

namespace host {

class ProgressBar {
 public:
  explicit ProgressBar(std::string label);
  ~ProgressBar();  // removes the bar
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const std::string& stage, uint64_t done, uint64_t total);  // total 0: unknown; done, too: only the time is shown
  void clear();                                                        // makes way for a line of output
  daybreak::ProgressFn callback();                                     // must not outlive the bar

 private:
  std::string label_;
  std::chrono::steady_clock::time_point start_, next_;
  bool terminal_;
  bool drawn_ = false;
};

}  // namespace host
