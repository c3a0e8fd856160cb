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

// For the log.
std::string name_of(const Trial& trial) { return of_forms(trial) ? trial.about : "product " + trial.about; }
std::string name_of(const std::string& kernel) {
  return kernel.starts_with(kFormOption) ? "form " + kernel.substr(kFormOption.size()) : "kernel " + kernel;
}

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

// A result of a probe.
struct Numbers {
  DType dtype;
  std::vector<float> list;
};

// All results of a layer; of a product one, as copies are alike.
std::vector<Numbers> results_of(Probe& probe, const Trial& trial) {
  std::vector<Numbers> results;
  for (uint32_t i = 0, count = of_forms(trial) ? probe.outputs() : 1; i < count; ++i) {
    const DType dtype = probe.output_type(i).dtype;
    results.push_back({dtype, floats_of(probe.output(i), dtype)});
  }
  return results;
}

// Sums of a probe's numbers are exact, so only what an epilogue rounds may differ: some units of the largest result. A lost term is 1.
bool agree(const Numbers& a, const Numbers& b) {
  const double unit = a.dtype == DBK_F16 ? 0x1p-11 : 0x1p-24;
  double largest = 1;
  for (const float x : a.list)
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(double{x}));
  constexpr double kUnits = 64;
  const auto same = [&](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)) || std::fabs(double{x} - double{y}) <= kUnits * unit * largest; };
  return a.dtype == b.dtype && std::ranges::equal(a.list, b.list, same);
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
      context_.log()(DBK_LOG_INFO, "the time that option tune_budget_ms gives is over: {} not measured", left_out(visited));
    progress_(DBK_STAGE_TUNE, total_, total_);
    return measured > 0;
  }

 private:
  bool spent() const { return watch_.nanoseconds() > effort_.budget_nanoseconds; }

  // Layers come one at a time, while they are compiled.
  std::string left_out(size_t visited) const {
    if (of_forms(trials_.front())) return "forms of " + name_of(trials_.front()) + " are";
    return std::format("{} of {} products are", trials_.size() - visited, trials_.size());
  }

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
  std::vector<Numbers> reference(const Trial& trial) {
    const std::string_view wanted = of_forms(trial) ? kReferenceForm : kReference;
    const auto found = std::ranges::find_if(trial.kernels, [&](const std::string& kernel) { return kernel.starts_with(wanted); });
    if (found == trial.kernels.end()) return {};
    const auto probe = probe_for(trial, *found);
    probe->run();
    return results_of(*probe, trial);
  }

  // Whether the device has been told. What is kept of a layer is the whole answer: of its few forms all are measured once it is begun, and
  // one that is left because the others fail is the one to take.
  bool measure(const Trial& trial) {
    const std::vector<std::string> kernels = kernels_of(trial);
    const uint64_t done = std::exchange(done_, done_ + kernels.size());
    try {
      const std::vector<Numbers> expected = reference(trial);
      std::vector<Runner> runners;
      for (size_t i = 0; i < kernels.size() && (of_forms(trial) || !spent() || runners.size() < 2); ++i) {
        progress_(DBK_STAGE_TUNE, done + i, total_);
        add_runner(trial, kernels[i], expected, runners);
      }
      if (runners.size() < (of_forms(trial) ? 1 : 2)) return false;
      sample(runners);
      tell(trial, runners);
      return true;
    } catch (const Error& e) {
      if (e.causes().front().code == DBK_CANCELLED) throw;
      context_.log()(DBK_LOG_WARNING, "{}: not measured: {}", name_of(trial), e.what());
      return false;
    }
  }

  void add_runner(const Trial& trial, const std::string& kernel, const std::vector<Numbers>& expected, std::vector<Runner>& runners) {
    try {
      Runner runner{kernel, probe_for(trial, kernel)};
      runner.probe->run();
      if (!std::ranges::equal(expected, results_of(*runner.probe, trial), agree)) {
        context_.log()(DBK_LOG_WARNING, "{} is wrong for {} and is not used", name_of(kernel), name_of(trial));
        return;
      }
      runners.push_back(std::move(runner));
    } catch (const Error& e) {
      context_.log()(DBK_LOG_INFO, "{} is not measured for {}: {}", name_of(kernel), name_of(trial), e.what());
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
