// What the tests of whole graphs share: the device they were started for, compiling and running in few words, numbers
// with a seed, and failures that must come. A program is started with "cpu" or "gpu"; on each device of that kind all
// its tests run.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/ops/device_list.h"
#include "tests/ops/requirement.h"

namespace graphs {

using daybreak::Dims;
using daybreak::GraphBuilder;
using daybreak::Value;
using ops::require;
using ops::require_equal;
using Floats = std::vector<float>;

const daybreak::Context& context();
const daybreak::DeviceInfo& device();
bool on_gpu();
// Whether a GPU's values are used in place by what runs on the host for it.
bool shared_memory();

// Compiled for the device, not ready.
daybreak::Executable compile(GraphBuilder& graph, const daybreak::Options& options = {});
// Compiled and ready.
daybreak::Executable prepare(GraphBuilder& graph, const daybreak::Options& options = {});

// Options for graphs that stay as they are given.
daybreak::Options unfused();

nlohmann::json report(const daybreak::Executable& exec, std::string_view kind);
// What the placement report says of the node of that name.
nlohmann::json placement_of(const daybreak::Executable& exec, std::string_view node);
// What a placement report, as text, says of how the first node that had a choice got its kernel.
nlohmann::json choice_in(const std::string& report);

// Small whole numbers: sums and products of them are exact in f32. Different for each seed.
Floats whole_numbers(size_t count, uint32_t seed, int range = 9);

void bind(daybreak::Run& run, const char* input, const Floats& data, const Dims& dims);
// Binds the only input, runs and reads the first output.
Floats run_once(daybreak::Run& run, const Floats& data, const Dims& dims);

// y = -x for vectors of that size, ready; and what it gives.
daybreak::Executable negation(int64_t size);
Floats negated(Floats values);

void require_same(const Floats& actual, const Floats& expected, const char* what);

// Calls f, which must fail with that status and a text that holds every part. Gives the error for more questions.
daybreak::Error require_failure(dbk_status status, const std::vector<std::string>& parts,
                                const std::function<void()>& f);

// Says why a test does nothing on this device; printed, and counted by Unity as ignored.
struct Skip : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Test = void (*)();
struct NamedTest {
  const char* name;
  Test run;
};
// main of every program here.
int run_tests(int argc, char** argv, const char* file, const std::vector<NamedTest>& tests);

}  // namespace graphs

#define GRAPH_TEST(name) \
  graphs::NamedTest { #name, name }
