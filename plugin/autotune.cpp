#include "plugin/autotune.h"

#include <algorithm>

#include "plugin/agreement.h"
#include "plugin/probe.h"
#include "plugin/sampling.h"

namespace dbk {

namespace {

constexpr size_t kLikely = 6;  // kernels that are tried unless all are
constexpr int kQuickRounds = 5, kThoroughRounds = 9;

std::vector<Numbers> results_of(Probe& probe) {
  std::vector<Numbers> results;
  for (uint32_t i = 0; i < probe.outputs(); ++i) {
    const DType dtype = probe.output_type(i).dtype;
    results.push_back(numbers_of(probe.output(i), dtype));
  }
  return results;
}

// One kernel of a trial, while the trial runs.
struct Runner {
  std::string kernel;
  std::unique_ptr<Probe> probe;
};

class Tuner {
 public:
  Tuner(Context& context, uint32_t device, const std::vector<Trial>& trials, const TuneEffort& effort, const Progress& progress)
      : context_(context), device_(device), trials_(trials), effort_(effort), progress_(progress) {
    for (const Trial& trial : trials_) total_ += kernels_of(trial).size();
  }

  bool run() {
    size_t measured = 0, visited = 0;
    for (const Trial& trial : trials_) {
      if (spent()) break;
      measured += measure(trial);
      ++visited;
    }
    if (const size_t left = trials_.size() - visited; left > 0)
      context_.log()(DBK_LOG_INFO, "the time that option tune_budget_ms gives is over; not measured: {}{}", trials_[visited].name,
                     left > 1 ? std::format(", and {} more", left - 1) : "");
    progress_(DBK_STAGE_TUNE, total_, total_);
    return measured > 0;
  }

 private:
  bool spent() const { return watch_.nanoseconds() > effort_.budget_nanoseconds; }

  std::vector<std::string> kernels_of(const Trial& trial) const {
    std::vector<std::string> kernels = trial.kernels;
    if (effort_.wanted < Tried::All && kernels.size() > kLikely) kernels.resize(kLikely);
    return kernels;
  }

  std::unique_ptr<Probe> probe_for(const Trial& trial, const std::string& kernel) {
    Trial::Alone alone = trial.alone(kernel);
    const Sums sums = sums_of(alone.graph);
    return std::make_unique<Probe>(context_, device_, std::move(alone.graph), alone.options, counts_, sums);
  }

  std::vector<Numbers> reference(const Trial& trial) {
    const auto probe = probe_for(trial, trial.reference);
    probe->run();
    std::vector<Numbers> results = results_of(*probe);
    if (const std::string why = refuse_reference(results); !why.empty()) fail(DBK_FAILED_PRECONDITION, "{}", why);
    return results;
  }

  // Whether the device has been told. One that is left because all others fail is the one to take.
  bool measure(const Trial& trial) {
    const std::vector<std::string> kernels = kernels_of(trial);
    const uint64_t done = std::exchange(done_, done_ + kernels.size());
    try {
      const std::vector<Numbers> expected = reference(trial);
      std::vector<Runner> runners;
      size_t tried = 0;
      bool all_ran = true;  // what fails now, for want of memory perhaps, may run another time
      for (; tried < kernels.size() && (!spent() || runners.size() < trial.least); ++tried) {
        progress_(DBK_STAGE_TUNE, done + tried, total_);
        all_ran = add_runner(trial, kernels[tried], expected, runners) && all_ran;
      }
      if (runners.empty()) return false;
      const int rounds = effort_.wanted == Tried::All ? kThoroughRounds : kQuickRounds;
      const Samples samples = sample(runners.size(), rounds, [&](size_t i) { return runners[i].probe->microseconds(); }, [&] { return spent(); });
      tell(trial, runners, samples, all_ran ? reached(trial, tried, samples.rounds) : Tried::Part);
      return true;
    } catch (const Error& e) {
      if (e.causes().front().code == DBK_CANCELLED) throw;
      context_.log()(DBK_LOG_WARNING, "{}: not measured: {}", trial.name, e.what());
      return false;
    }
  }

  // Whether it ran, with whatever result.
  bool add_runner(const Trial& trial, const std::string& kernel, const std::vector<Numbers>& expected, std::vector<Runner>& runners) {
    try {
      Runner runner{kernel, probe_for(trial, kernel)};
      runner.probe->run();
      if (!agree(expected, results_of(*runner.probe), runner.probe->sums())) {
        context_.log()(DBK_LOG_WARNING, "{} is wrong for {} and is not used", kernel, trial.name);
        return true;
      }
      runners.push_back(std::move(runner));
      return true;
    } catch (const Error& e) {
      context_.log()(DBK_LOG_INFO, "{} is not measured for {}: {}", kernel, trial.name, e.what());
      return false;
    }
  }

  static Tried reached(const Trial& trial, size_t tried, int rounds) {
    if (tried == trial.kernels.size() && rounds == kThoroughRounds) return Tried::All;
    return tried >= std::min(kLikely, trial.kernels.size()) && rounds >= kQuickRounds ? Tried::Likely : Tried::Part;
  }

  void tell(const Trial& trial, const std::vector<Runner>& runners, const Samples& samples, Tried tried) {
    if (tried < effort_.wanted)
      context_.log()(DBK_LOG_INFO, "measured in part, as a kernel failed or the time that option tune_budget_ms gives is over: {}", trial.name);
    const auto rates = context_.rates(device_);
    const double round_trip = rates ? rates->round_trip_microseconds : 0;
    Trial::Known known{{}, tried};
    for (size_t i = 0; i < runners.size(); ++i) {
      const double fastest = samples.fastest[i];
      known.times.push_back({runners[i].kernel, std::max(fastest - round_trip, fastest / 10) / trial.copies});
    }
    context_.device(device_).keep_measured(trial.about, known);
  }

  Context& context_;
  uint32_t device_;
  const std::vector<Trial>& trials_;
  const TuneEffort& effort_;
  const Progress& progress_;
  Stats counts_;
  Stopwatch watch_;
  uint64_t done_ = 0, total_ = 0;
};

}  // namespace

std::optional<TuneEffort> tune_effort(const Options& options) {
  const std::string& level = options.text("autotune");
  if (level != "quick" && level != "full") return std::nullopt;
  return TuneEffort{level == "full" ? Tried::All : Tried::Likely, static_cast<uint64_t>(options.integer("tune_budget_ms")) * 1'000'000};
}

bool autotune(Context& context, uint32_t device, const std::vector<Trial>& trials, const TuneEffort& effort, const Progress& progress) {
  if (trials.empty()) return false;
  const auto alone = context.measuring();
  return Tuner(context, device, trials, effort, progress).run();
}

}  // namespace dbk
