#include "plugin/tries.h"

#include <algorithm>

namespace dbk {

namespace {

// Nothing where it fails, or the time is over before it runs.
std::optional<TriedKernel> started(const Trial& trial, const std::string& kernel, const TrySteps& steps, Tries& tries) {
  try {
    std::optional<TriedKernel> ran = steps.run(kernel);
    tries.tried += ran.has_value();
    return ran;
  } catch (const Error& e) {
    steps.log(DBK_LOG_INFO, "{} is not measured for {}: {}", kernel, trial.name, e.what());
    ++tries.tried;
    if (e.causes().front().code == DBK_OUT_OF_MEMORY) tries.had_memory = false;
    return std::nullopt;
  }
}

void keep_if_right(const Trial& trial, TriedKernel kernel, const std::vector<Numbers>& expected, const Log& log,
                   Tries& tries) {
  if (!agree(expected, std::exchange(kernel.results, {}), kernel.sums))
    log(DBK_LOG_WARNING, "{} is wrong for {} and is not used", kernel.name, trial.name);
  else
    tries.right.push_back(std::move(kernel));
}

}  // namespace

Tries try_kernels(const Trial& trial, const std::vector<std::string>& kernels, const TrySteps& steps) {
  Tries tries;
  if (!steps.goes_on(tries.tried)) return tries;
  std::optional<TriedKernel> usual;
  if (kernels[0] != trial.reference) {
    usual = started(trial, kernels[0], steps, tries);
    if (!steps.goes_on(tries.tried)) return tries;
  }
  std::optional<TriedKernel> reference = steps.run(trial.reference);
  if (!reference) return tries;
  const std::vector<Numbers> expected = std::move(reference->results);
  if (const std::string why = refuse_reference(expected); !why.empty()) fail(DBK_FAILED_PRECONDITION, "{}", why);
  if (usual) keep_if_right(trial, *std::move(usual), expected, steps.log, tries);
  if (std::ranges::find(kernels, trial.reference) != kernels.end())
    tries.right.push_back(*std::move(reference)), ++tries.tried;
  reference.reset();
  for (size_t i = 1; i < kernels.size() && steps.goes_on(tries.tried); ++i) {
    if (kernels[i] == trial.reference) continue;
    if (std::optional<TriedKernel> ran = started(trial, kernels[i], steps, tries))
      keep_if_right(trial, *std::move(ran), expected, steps.log, tries);
  }
  return tries;
}

}  // namespace dbk
