#include "plugin/autotune.h"

#include <algorithm>
#include <cmath>

#include "plugin/probe.h"

namespace dbk {

namespace {

constexpr size_t kLikely = 6;                   // kernels that are tried unless all are
constexpr double kHopeless = 2;                 // times the best: not measured any further
// Takes every product on every adapter, without workgroup memory and barriers; of forms, what the caller wrote.
constexpr const char *kReference = "lane ", *kReferenceForm = "qkv plain";

bool of_forms(const Trial& trial) { return trial.kernels.front().starts_with(kFormOption); }

// Small nodes run several times in a graph, so that the round trip counts for less.
uint32_t copies_of(const Trial& trial) { return of_forms(trial) ? 1 : static_cast<uint32_t>(std::clamp(2e8 / std::max(trial.operations, 1.0), 1.0, 16.0)); }

std::vector<float> floats_of(std::span<const std::byte> bytes, DType dtype) {
  std::vector<float> numbers(bytes.size() / (dtype == DBK_F16 ? 2 : 4));
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (dtype == DBK_F16) numbers[i] = reinterpret_cast<const Half*>(bytes.data())[i];
    else numbers[i] = reinterpret_cast<const float*>(bytes.data())[i];
  }
  return numbers;
}

// Sums of a probe's numbers are exact, so only what an epilogue rounds may differ: some units of the largest result. A lost term is 1.
bool agree(std::span<const float> a, std::span<const float> b, DType dtype) {
  const double unit = dtype == DBK_F16 ? 0x1p-11 : 0x1p-24;
  double largest = 1;
  for (const float x : a)
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(double{x}));
  constexpr double kUnits = 64;
  const auto same = [&](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)) || std::fabs(double{x} - double{y}) <= kUnits * unit * largest; };
  return a.size() == b.size() && std::ranges::equal(a, b, same);
}

// One kernel of a trial, while the trial runs.
struct Runner {
  std::string kernel;
  std::unique_ptr<Probe> probe;
  double fastest = INFINITY;  // microseconds: whatever else the machine does only adds to them
  bool out = false;           // too slow to go on
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
    if (visited < trials_.size())
      context_.log()(DBK_LOG_INFO, "the time that option tune_budget_ms gives is over: {} of {} products are not measured", trials_.size() - visited,
                     trials_.size());
    progress_(DBK_STAGE_TUNE, total_, total_);
    return measured > 0;
  }

 private:
  bool spent() const { return watch_.nanoseconds() > effort_.budget_nanoseconds; }

  std::vector<std::string> kernels_of(const Trial& trial) const {
    std::vector<std::string> kernels = trial.kernels;
    if (!effort_.thorough && kernels.size() > kLikely) kernels.resize(kLikely);
    return kernels;
  }

  std::unique_ptr<Probe> probe_for(const Trial& trial, const std::string& kernel) {
    Graph graph = trial.graph(copies_of(trial));
    Options options = Options(nullptr, "compile").with("precision", name_of(graph.precision));
    if (of_forms(trial)) options.with("fusion", "on").with("qkv", std::string_view(kernel).substr(kFormOption.size()));
    else options.with("fusion", "off"), graph.product_kernel = kernel;
    return std::make_unique<Probe>(context_, device_, std::move(graph), options, counts_);
  }

  // The results of the reference; empty where it cannot be had.
  std::vector<float> reference(const Trial& trial, DType dtype) {
    const std::string_view wanted = of_forms(trial) ? kReferenceForm : kReference;
    const auto found = std::ranges::find_if(trial.kernels, [&](const std::string& kernel) { return kernel.starts_with(wanted); });
    if (found == trial.kernels.end()) return {};
    const auto probe = probe_for(trial, *found);
    probe->run();
    return floats_of(probe->output(0), dtype);
  }

  // Whether the device has been told.
  bool measure(const Trial& trial) {
    const std::vector<std::string> kernels = kernels_of(trial);
    const uint64_t done = std::exchange(done_, done_ + kernels.size());
    try {
      const DType dtype = trial.graph(1).values.back().dtype;
      const std::vector<float> expected = reference(trial, dtype);
      std::vector<Runner> runners;
      for (size_t i = 0; i < kernels.size() && !(spent() && runners.size() > 1); ++i) {
        progress_(DBK_STAGE_TUNE, done + i, total_);
        add_runner(trial, kernels[i], dtype, expected, runners);
      }
      if (runners.size() < 2) return false;
      sample(runners);
      tell(trial, runners);
      return true;
    } catch (const Error& e) {
      if (e.causes().front().code == DBK_CANCELLED) throw;
      context_.log()(DBK_LOG_WARNING, "product {} is not measured: {}", trial.about, e.what());
      return false;
    }
  }

  void add_runner(const Trial& trial, const std::string& kernel, DType dtype, const std::vector<float>& expected, std::vector<Runner>& runners) {
    try {
      Runner runner{kernel, probe_for(trial, kernel)};
      runner.probe->run();
      if (!agree(expected, floats_of(runner.probe->output(0), dtype), dtype)) {
        context_.log()(DBK_LOG_WARNING, "kernel {} is wrong for product {} and is not used", kernel, trial.about);
        return;
      }
      runners.push_back(std::move(runner));
    } catch (const Error& e) {
      context_.log()(DBK_LOG_INFO, "kernel {} is not measured for product {}: {}", kernel, trial.about, e.what());
    }
  }

  // In turns, so that what else the machine does meets all alike.
  void sample(std::vector<Runner>& runners) const {
    const int rounds = effort_.thorough ? 9 : 5;
    for (int round = 0; round < rounds && !(round > 0 && spent()); ++round) {
      double best = INFINITY;
      for (Runner& runner : runners) {
        if (runner.out) continue;
        runner.fastest = std::min(runner.fastest, runner.probe->microseconds());
        best = std::min(best, runner.fastest);
      }
      for (Runner& runner : runners) runner.out = runner.out || runner.fastest > kHopeless * best;
    }
  }

  void tell(const Trial& trial, const std::vector<Runner>& runners) {
    const auto rates = context_.rates(device_);
    const double round_trip = rates ? rates->round_trip_microseconds : 0;
    std::vector<Trial::Time> times;
    for (const Runner& runner : runners)
      times.push_back({runner.kernel, std::max(runner.fastest - round_trip, runner.fastest / 10) / copies_of(trial)});
    context_.device(device_).keep_measured(trial.about, times, effort_.thorough);
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
  return TuneEffort{level == "full", static_cast<uint64_t>(options.integer("tune_budget_ms")) * 1'000'000};
}

bool autotune(Context& context, uint32_t device, const std::vector<Trial>& trials, const TuneEffort& effort, const Progress& progress) {
  if (trials.empty()) return false;
  const auto alone = context.measuring();
  return Tuner(context, device, trials, effort, progress).run();
}

}  // namespace dbk
