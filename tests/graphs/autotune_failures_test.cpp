// What becomes of kernels that fail while they are measured, and of what measures them.
#include "tests/graphs/driver_layer.h"
#include "tests/graphs/tuned_layer.h"

namespace {

using namespace graphs;

// The layer, compiled; of its product kernels are measured when it gets ready.
daybreak::Executable compiled_in(const daybreak::Context& context) {
  GraphBuilder g;
  write_layer(g, {kRows, kDepth});
  return context.compile(g, {.device = device().index});
}

// One that the driver does not compile is none of those that can be measured: that there is no time of it is no reason to measure all anew.
void test_a_kernel_that_does_not_compile() {
  const Driver driver;
  const CacheDirectory cache;
  const auto kernels_in = [&](const daybreak::ProgressFn& progress) {
    const Tuned tuned(tuning("quick", cache.path()));
    daybreak::Executable exec = compiled_in(tuned.context);
    exec.ready(progress);
    return choice_in(exec.report("placement")).at("measured").size();
  };
  const size_t kernels = kernels_in([&](const daybreak::Progress& progress) {
    if (progress.stage == DBK_STAGE_TUNE) driver.refuse_pipelines(progress.done == 2);
    return true;
  });
  require_equal(kernels, size_t{5}, "kernels with times, of six");
  uint64_t tried = 0;
  kernels_in([&](const daybreak::Progress& progress) {
    if (progress.stage == DBK_STAGE_TUNE) tried = progress.total;
    return true;
  });
  require_equal(tried, uint64_t{0}, "kernels that the next process measures");
}

}  // namespace

int main(int argc, char** argv) { return run_tests(argc, argv, __FILE__, {GRAPH_TEST(test_a_kernel_that_does_not_compile)}); }
