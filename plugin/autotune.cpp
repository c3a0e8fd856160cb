#include "plugin/autotune.h"

#include <algorithm>

#include "plugin/probe.h"
#include "plugin/sampling.h"
#include "plugin/tries.h"

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

enum class Outcome { Measured, Failed, TimeOver };

class Tuner {
 public:
  Tuner(Context& context, uint32_t device, const std::vector<Trial>& trials, const TuneEffort& effort, const Progress& progress)
      : context_(context), device_(device), trials_(trials), effort_(effort), progress_(progress) {
    for (const Trial& trial : trials_) total_ += kernels_of(trial).size();
  }

  bool run() {
    size_t measured = 0, visited = 0;
    for (const Trial& trial : trials_) {
      const Outcome outcome = spent() ? Outcome::TimeOver : measure(trial);
      if (outcome == Outcome::TimeOver) break;
      measured += outcome == Outcome::Measured;
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
  bool out_of_time(const Trial& trial) const { return !trial.whole && spent(); }

  std::vector<std::string> kernels_of(const Trial& trial) const {
    std::vector<std::string> kernels = trial.kernels;
    if (effort_.wanted < Tried::All && kernels.size() > kLikely) kernels.resize(kLikely);
    return kernels;
  }

  std::unique_ptr<Probe> probe_for(const Trial& trial, const std::string& kernel) {
    Trial::Alone alone = trial.alone(kernel);
    const Sums sums = sums_of(alone.graph);
    return std::make_unique<Probe>(context_, device_, std::move(alone.graph), alone.options, sums);
  }

  // Nothing where the time is over once it is compiled.
  std::optional<TriedKernel> run_of(const Trial& trial, const std::string& kernel) {
    const std::shared_ptr<Probe> probe = probe_for(trial, kernel);
    if (out_of_time(trial)) return std::nullopt;
    const double microseconds = probe->microseconds();
    return TriedKernel{kernel, microseconds, results_of(*probe), probe->sums(), [probe] { return probe->microseconds(); }};
  }

  Outcome measure(const Trial& trial) {
    const std::vector<std::string> kernels = kernels_of(trial);
    const uint64_t done = std::exchange(done_, done_ + kernels.size());
    try {
      const Tries tries = tries_of(trial, kernels, done);
      if (tries.right.size() < 2 && tries.tried < kernels.size()) return Outcome::TimeOver;
      if (tries.right.empty()) return Outcome::Failed;  // one that is left because all others fail is the one to take
      const Samples samples = samples_of(trial, tries.right);
      tell(trial, tries.right, samples, tries.had_memory ? reached(trial, tries.tried, samples) : Tried::Part);
      return Outcome::Measured;
    } catch (const Error& e) {
      if (e.causes().front().code == DBK_CANCELLED) throw;
      context_.log()(DBK_LOG_WARNING, "{}: not measured: {}", trial.name, e.what());
      return Outcome::Failed;
    }
  }

  Tries tries_of(const Trial& trial, const std::vector<std::string>& kernels, uint64_t done) {
    const auto goes_on = [&](size_t tried) {
      progress_(DBK_STAGE_TUNE, done + tried, total_);
      return !out_of_time(trial);
    };
    return try_kernels(trial, kernels, {[&](const std::string& kernel) { return run_of(trial, kernel); }, goes_on, context_.log()});
  }

  Samples samples_of(const Trial& trial, const std::vector<TriedKernel>& kernels) {
    std::vector<double> first;
    for (const TriedKernel& kernel : kernels) first.push_back(kernel.microseconds);
    const Rounds rounds{trial.whole ? 1 : 0, effort_.wanted == Tried::All ? kThoroughRounds : kQuickRounds};
    return sample(std::move(first), rounds, [&](size_t i) { return kernels[i].again(); }, [&] { return spent(); });
  }

  Tried reached(const Trial& trial, size_t tried, const Samples& samples) const {
    if (tried == trial.kernels.size() && samples.enough && effort_.wanted == Tried::All) return Tried::All;
    return tried >= std::min(kLikely, trial.kernels.size()) && (samples.enough || samples.rounds >= kQuickRounds) ? Tried::Likely : Tried::Part;
  }

  void tell(const Trial& trial, const std::vector<TriedKernel>& kernels, const Samples& samples, Tried tried) {
    if (tried < effort_.wanted)
      context_.log()(DBK_LOG_INFO, "measured in part, as memory was short or the time that option tune_budget_ms gives is over: {}", trial.name);
    const auto rates = context_.rates(device_);
    const double round_trip = rates ? rates->round_trip_microseconds : 0;
    Trial::Known known{{}, tried};
    for (size_t i = 0; i < kernels.size(); ++i) {
      const double fastest = samples.fastest[i];
      known.times.push_back({kernels[i].name, std::max(fastest - round_trip, fastest / 10) / trial.copies});
    }
    context_.device(device_).keep_measured(trial.about, known);
  }

  Context& context_;
  uint32_t device_;
  const std::vector<Trial>& trials_;
  const TuneEffort& effort_;
  const Progress& progress_;
  Stopwatch watch_;
  uint64_t done_ = 0, total_ = 0;
};

}  // namespace

std::optional<TuneEffort> tune_effort(const Options& options) {
  const std::string& level = options.text("autotune");
  if (level != "quick" && level != "full") return std::nullopt;
  constexpr uint64_t kNanoseconds = 1'000'000;
  const uint64_t budget = std::min(static_cast<uint64_t>(options.integer("tune_budget_ms")), UINT64_MAX / kNanoseconds);
  return TuneEffort{level == "full" ? Tried::All : Tried::Likely, budget * kNanoseconds};
}

bool autotune(Context& context, uint32_t device, const std::vector<Trial>& trials, const TuneEffort& effort, const Progress& progress) {
  if (trials.empty()) return false;
  const auto alone = context.measuring(progress);
  return Tuner(context, device, trials, effort, progress).run();
}

}  // namespace dbk
