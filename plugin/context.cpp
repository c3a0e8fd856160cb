#include "plugin/context.h"

#include <algorithm>
#include <charconv>

#include "plugin/ascii.h"
#include "plugin/contradictions.h"
#include "plugin/device_measurement.h"
#include "plugin/environment.h"
#include "plugin/fork_guard.h"

namespace dbk {

Context::Context(const dbk_host& host, const dbk_options* options)
    : log_(host), options_(options, "ctx"), generation_(process_generation()), events_(std::make_shared<EventPool>()),
      calibration_(options_, log_) {
  check_context_options(options_);
  for (const auto& [name, meant] : unknown_variables())
    log_(DBK_LOG_WARNING, "environment variable {} has no effect: nothing of that name is known{}", name, meant.empty() ? "" : std::format("; did you mean {}?", meant));
  if (options_.flag("gpu")) devices_ = find_gpu_devices(options_, log_, gpu_reason_);
  else gpu_reason_ = "switched off by option gpu";
  devices_.push_back(make_cpu_device(options_));
  for (const auto& device : devices_) rates_.push_back(calibration_.load(device->info()));
  unmeasurable_.resize(devices_.size());
  if (!gpu_reason_.empty()) log_(DBK_LOG_INFO, "no GPU device: {}", gpu_reason_);
}

Context::~Context() = default;

Options Context::compile_options(const dbk_options* given) const {
  Options compile(given, "compile", &options_);
  check_compile_options(compile, options_);
  return compile;
}

Device& Context::device(uint32_t index) const {
  if (index >= devices_.size()) fail(DBK_OUT_OF_RANGE, "there is no device {}; there are 0 to {}", index, devices_.size() - 1);
  return *devices_[index];
}

namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), ascii_lower);
  return text;
}

}  // namespace

uint32_t Context::choose_device(uint32_t index, const std::string& selector, const Progress& progress) {
  if (index != DBK_DEVICE_DEFAULT) {
    device(index);
    return index;
  }
  if (!selector.empty()) return find_device(selector);
  if (!options_.text("device").empty()) return find_device(options_.text("device"));  // option of the context or DAYBREAK_DEVICE
  measure_where_wanted(progress);
  const std::vector<DeviceRank> ranks = ranking();
  const auto best = std::ranges::find(ranks, 1u, &DeviceRank::rank);
  const uint32_t chosen = best == ranks.end() ? device_count() - 1 : static_cast<uint32_t>(best - ranks.begin());
  if (default_told_.exchange(chosen) != chosen)
    log_(DBK_LOG_INFO, "the default device is {} '{}': {}", chosen, devices_[chosen]->info().name, ranks[chosen].why);
  return chosen;
}

DeviceChoice Context::choose_device(uint32_t index, const Options& compile, const Progress& progress) {
  const uint32_t cpu = device_count() - 1;
  const std::string& policy = compile.text("policy");
  const bool named = index != DBK_DEVICE_DEFAULT || !compile.text("device").empty();  // the context's where the compile has none
  if (policy == "cpu_only") {
    if (named) choose_device(index, compile.text("device"), progress);  // what is named must exist, whatever the policy
    return {cpu, "policy cpu_only"};
  }
  if (policy == "require_gpu" && !named && device_count() > 1) {
    measure_where_wanted(progress);
    const uint32_t gpu = find_device("gpu");
    return {gpu, "policy require_gpu; " + ranking()[gpu].why, true};
  }
  const uint32_t chosen = choose_device(index, compile.text("device"), progress);
  if (index != DBK_DEVICE_DEFAULT) return {chosen, "the caller named it"};
  if (named) return {chosen, compile.told("device")};
  return {chosen, ranking()[chosen].why, true};
}

// Before a device is chosen among several.
void Context::measure_where_wanted(const Progress& progress) {
  if (device_count() > 1 && options_.text("calibration") == "auto") measure(/*again=*/false, progress);
}

uint32_t Context::find_device(const std::string& selector) const {
  const std::string wanted = lower(selector);
  uint32_t index = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  if (error == std::errc() && end == wanted.data() + wanted.size() && index < device_count()) return index;
  uint32_t best = DBK_NONE;
  std::string known;
  const std::vector<DeviceRank> ranks = ranking();
  for (uint32_t i = 0; i < device_count(); ++i) {
    const DeviceInfo info = devices_[i]->info();
    known += std::format("{}{} '{}'", known.empty() ? "" : ", ", i, info.name);
    const bool gpu = info.kind != DBK_DEVICE_CPU;
    const bool match = wanted == "gpu" ? gpu : wanted == "cpu" ? !gpu : gpu && wanted == info.api_name() ? true
                       : info.uuid_text() == wanted || lower(info.name).find(wanted) != std::string::npos;
    const auto place = [&](uint32_t d) { return ranks[d].rank ? ranks[d].rank : UINT32_MAX; };  // the unusable last
    if (match && (best == DBK_NONE || place(i) < place(best))) best = i;
  }
  if (best == DBK_NONE) {
    const std::string hint = gpu_reason_.empty() ? "" : "; no GPU: " + gpu_reason_;
    fail(DBK_NOT_FOUND, "no device matches '{}'; there are: {}{}", selector, known, hint);
  }
  return best;
}

std::vector<DeviceInfo> Context::device_infos() const {
  std::vector<DeviceInfo> infos;
  for (const auto& device : devices_) infos.push_back(device->info());
  return infos;
}

std::optional<DeviceRates> Context::rates(uint32_t device) const {
  std::lock_guard lock(rates_mutex_);
  return rates_.at(device);
}

std::vector<std::optional<DeviceRates>> Context::all_rates() const {
  std::lock_guard lock(rates_mutex_);
  return rates_;
}

std::vector<DeviceRank> Context::ranking() const {
  const std::vector<DeviceInfo> infos = device_infos();
  std::lock_guard lock(rates_mutex_);
  return rank_devices(infos, rates_);
}

std::unique_lock<std::timed_mutex> Context::measuring(const Progress& progress) {
  constexpr std::chrono::milliseconds kSilence{50};  // at most: hosts are promised to hear something every 100
  std::unique_lock lock(measuring_, std::defer_lock);
  while (!lock.try_lock_for(kSilence)) progress(DBK_STAGE_TUNE, 0, 0);
  return lock;
}

std::vector<std::string> Context::measure(bool again, const Progress& progress) {
  const auto alone = measuring(progress);
  std::vector<std::string> failures(device_count());
  for (uint32_t i = 0; i < device_count(); ++i) {
    const DeviceInfo info = devices_[i]->info();
    if (!info.score || (!again && (rates(i) || unmeasurable_[i]))) continue;
    progress(DBK_STAGE_TUNE, i, device_count());
    try {
      const DeviceRates measured = measure_device(*this, i, [&] { progress(DBK_STAGE_TUNE, i, device_count()); });
      if (!plausible(measured)) fail(DBK_INTERNAL, "figures that cannot be");
      calibration_.store(info, measured);
      std::lock_guard known(rates_mutex_);
      rates_[i] = measured;
    } catch (const Error& e) {
      if (e.causes().front().code == DBK_CANCELLED) throw;
      failures[i] = e.what();
    } catch (const std::exception& e) {
      failures[i] = e.what();
    }
    if (!failures[i].empty()) {
      unmeasurable_[i] = true;
      log_(DBK_LOG_WARNING, "{} is not measured: {}", info.name, failures[i]);
    }
  }
  progress(DBK_STAGE_TUNE, device_count(), device_count());
  return failures;
}

bool Context::forked() const { return generation_ != process_generation(); }

void Context::check_open() const {
  if (forked()) fail(DBK_FAILED_PRECONDITION, "the context was made before fork(); make a new one in the child");
  if (closed_) fail(DBK_FAILED_PRECONDITION, "the context is destroyed");
}

void Context::close() {
  {
    std::lock_guard lock(mutex_);  // what add() let in before is among the children
    if (closed_.exchange(true)) return;
  }
  for (const auto& device : devices_) {
    device->worker().call([&] {
      std::lock_guard lock(mutex_);
      for (const auto& [child, owner] : children_)
        if (owner == device.get()) child->release_device();
      device->shut_down();
    });
    device->worker().stop();
  }
  events_->close();  // last: until here events tell how their work ends, and whoever hears of an end takes memory back
}

void Context::recover(uint32_t index, const Progress& progress) {
  std::lock_guard lock(recovering_);  // whoever comes second finds everything restored
  Device& lost = device(index);
  bool recovered = false;
  lost.worker().call([&] { recovered = lost.recover(); });
  // Executables that an earlier, failed or cancelled, recovery left out are restored by this one.
  const auto children = children_of(lost);
  if (recovered)
    for (const auto& child : children) child->device_lost();
  restore(children, progress);
}

// One that cannot be restored does not keep the others out.
void Context::restore(const std::vector<std::shared_ptr<Child>>& children, const Progress& progress) {
  std::vector<Cause> causes;
  for (const auto& child : children) {
    try {
      child->restore_device(progress);
    } catch (const Error& e) {
      if (e.causes().front().code == DBK_CANCELLED) throw;
      causes.insert(causes.end(), e.causes().begin(), e.causes().end());
    } catch (const std::bad_alloc&) {
      causes.push_back({DBK_OUT_OF_MEMORY, "no memory of the host is left to restore an executable"});
    }
  }
  if (!causes.empty()) throw Error(std::move(causes));
}

// Those that are not being destroyed; the references keep them.
std::vector<std::shared_ptr<Child>> Context::children_of(const Device& device) const {
  std::vector<std::shared_ptr<Child>> children;
  std::lock_guard lock(mutex_);
  for (const auto& [child, owner] : children_)
    if (owner == &device)
      if (auto alive = child->weak_from_this().lock()) children.push_back(std::move(alive));
  return children;
}

void Context::add(Child& child, Device& device) {
  std::lock_guard lock(mutex_);
  if (closed_) fail(DBK_FAILED_PRECONDITION, "the context is destroyed");
  children_.insert({&child, &device});
  stats_.objects.fetch_add(1);
}

// The child stays registered until it has nothing left: a close() that comes first releases it on the worker, and stops the worker only then.
void Context::remove(Child& child, Device& device) noexcept {
  try {
    device.worker().call([&] { child.release_device(); });
  } catch (...) {  // the worker has stopped, or there never was a thread for it
    std::lock_guard lock(mutex_);
    child.release_device();
  }
  std::lock_guard lock(mutex_);
  const auto removed = std::erase_if(children_, [&](const auto& entry) { return entry.first == &child; });
  stats_.objects.fetch_sub(removed);
}

}  // namespace dbk
