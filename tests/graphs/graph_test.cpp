#include "tests/graphs/graph_test.h"

#include <cstdio>
#include <cstdlib>
#include <random>

extern "C" {
#include <unity.h>
void setUp(void) {}
void tearDown(void) {}
}

namespace graphs {

namespace {

const ops::DeviceList* devices = nullptr;
const daybreak::DeviceInfo* current = nullptr;
Test test = nullptr;
char text[4096];

enum class Outcome { Passed, Failed, Skipped };

Outcome outcome_of(Test f) {
  try {
    f();
    return Outcome::Passed;
  } catch (const Skip& e) {
    std::snprintf(text, sizeof text, "SKIP: %s", e.what());
    return Outcome::Skipped;
  } catch (const std::exception& e) {
    std::snprintf(text, sizeof text, "%s", e.what());
    return Outcome::Failed;
  }
}

// No object may be alive here: Unity leaves by longjmp.
void run_current() {
  const Outcome outcome = outcome_of(test);
  if (outcome == Outcome::Skipped) TEST_IGNORE_MESSAGE(text);
  if (outcome == Outcome::Failed) TEST_FAIL_MESSAGE(text);
}

}  // namespace

const daybreak::Context& context() { return devices->context(); }
const daybreak::DeviceInfo& device() { return *current; }
bool on_gpu() { return !ops::is_cpu(*current); }

bool shared_memory() {
  const char* option = std::getenv("DAYBREAK_SHARED_MEMORY");
  return (device().features & DBK_FEATURE_MAP_IN_PLACE) && !(option && *option == '0');
}

daybreak::Executable compile(GraphBuilder& graph, const daybreak::Options& options) {
  return context().compile(graph, {.options = options, .device = device().index});
}

daybreak::Executable prepare(GraphBuilder& graph, const daybreak::Options& options) {
  daybreak::Executable exec = compile(graph, options);
  exec.ready();
  return exec;
}

nlohmann::json report(const daybreak::Executable& exec, std::string_view kind) {
  return nlohmann::json::parse(exec.report(kind));
}

daybreak::Options unfused() { return daybreak::Options().set("fusion", "off"); }

nlohmann::json placement_of(const daybreak::Executable& exec, std::string_view node) {
  const nlohmann::json placement = report(exec, "placement");
  for (const auto& row : placement.at("nodes"))
    if (row.at("name") == node) return row;
  throw ops::Failure(std::format("'{}' is not in the placement report", node));
}

nlohmann::json choice_in(const std::string& report) {
  const nlohmann::json placement = nlohmann::json::parse(report);
  for (const auto& row : placement.at("nodes"))
    if (row.contains("choice")) return row.at("choice");
  throw ops::Failure("no node of the placement report has a choice");
}

Floats whole_numbers(size_t count, uint32_t seed, int range) {
  std::mt19937 random(seed);
  Floats result(count);
  for (float& value : result)
    value = static_cast<float>(static_cast<int>(random() % static_cast<unsigned>(2 * range + 1)) - range);
  return result;
}

void bind(daybreak::Run& run, const char* input, const Floats& data, const Dims& dims) {
  run.bind_input(input, daybreak::View(std::span(data), dims));
}

Floats run_once(daybreak::Run& run, const Floats& data, const Dims& dims) {
  run.bind_input(0, daybreak::View(std::span(data), dims));
  run.run();
  return run.read<float>(0);
}

daybreak::Executable negation(int64_t size) {
  GraphBuilder g;
  g.output(g.node("Neg", {g.input<float>("x", {size})}), "y");
  return prepare(g);
}

Floats negated(Floats values) {
  for (float& value : values) value = -value;
  return values;
}

void require_same(const Floats& actual, const Floats& expected, const char* what) {
  require(actual.size() == expected.size(), "{}: {} elements, not {}", what, actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    require(actual[i] == expected[i], "{}: element {} is {}, not {}", what, i, actual[i], expected[i]);
}

daybreak::Error require_failure(dbk_status status, const std::vector<std::string>& parts,
                                const std::function<void()>& f) {
  try {
    f();
  } catch (const daybreak::Error& e) {
    require(e.status() == status, "failed with {}, not {}: {}", daybreak::status_name(e.status()),
            daybreak::status_name(status), e.what());
    for (const std::string& part : parts)
      require(std::string(e.what()).find(part) != std::string::npos, "'{}' is not in: {}", part, e.what());
    return e;
  }
  throw ops::Failure("succeeded, but must fail with " + daybreak::status_name(status));
}

int run_tests(int argc, char** argv, const char* file, const std::vector<NamedTest>& tests) {
  try {
    const ops::DeviceList list(argc > 1 ? argv[1] : "cpu");
    if (const int code = list.exit_code_without_device()) return code;
    devices = &list;
    UnityBegin(file);
    for (const daybreak::DeviceInfo& each : list.devices()) {
      current = &each;
      std::printf("device: %s, %s\n", each.name.c_str(), each.driver.c_str());
      for (const NamedTest& named : tests) {
        test = named.run;
        UnityDefaultTestRun(run_current, named.name, 0);
      }
    }
    return UnityEnd();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", file, e.what());
    return EXIT_FAILURE;
  }
}

}  // namespace graphs
