// What is measured of devices: kept in the cache directory, believed only where it is whole and of this device, driver,
// build and setting, and the basis of ranks, default device and estimated costs. On the CPU the contexts have no GPU,
// so that nothing of it matters.
#include <sys/resource.h>

#include <cmath>
#include <filesystem>
#include <format>
#include <fstream>

#include "tests/graphs/cache_directory.h"
#include "tests/graphs/graph_test.h"

namespace graphs {

namespace fs = std::filesystem;
using daybreak::Options;
using nlohmann::json;

const daybreak::Plugin& plugin() {
  static const daybreak::Plugin loaded = daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN"));
  return loaded;
}

struct Session {
  std::vector<std::string> warnings;
  daybreak::Context context;

  explicit Session(const std::string& cache, const char* calibration = "cached", int64_t threads = 0)
      : context(plugin(),
                Options()
                    .set("cache_dir", cache)
                    .set("calibration", calibration)
                    .set("gpu", on_gpu())
                    .set("threads", threads),
                {.name = "calibration test",
                 .log = [this](uint32_t, std::string_view text) { warnings.emplace_back(text); }}) {}

  json devices() const { return json::parse(context.report("device")).at("devices"); }
  json measure() const { return json::parse(context.report("calibration")); }
  bool measured() const {
    for (const json& device : devices())
      if (device.at("measured").is_null()) return false;
    return true;
  }
};

void test_figures_are_measured_and_kept() {
  const CacheDirectory cache;
  const Session first(cache.path());
  require(!first.measured() && cache.files("calibration").empty(), "nothing is measured unless somebody asks");
  const json report = first.measure();
  require_equal(report.at("schema").get<std::string>(), "daybreak.calibration/1", "schema");
  for (const json& device : report.at("devices")) {
    require_equal(device.at("failure").get<std::string>(), "", "failure");
    for (const char* name : {"round_trip_microseconds", "upload_gigabytes_per_second", "readback_gigabytes_per_second",
                             "memory_gigabytes_per_second", "matmul_f32_gigaflops"})
      require(device.at("measured").at(name).get<double>() > 0, "{}", name);
    require(device.at("measured").at("dispatch_microseconds").get<double>() >= 0, "dispatch_microseconds");
    const json told = first.devices().at(device.at("index").get<size_t>()), features = told.at("features");
    const std::pair<const char*, const char*> needs[] = {{"matmul_f16_gigaflops", "f16"}, {"matmul_f16_f32acc_gigaflops", "subgroup_matrix"}};
    for (const auto& [name, feature] : needs) {
      const bool computes_f32 = std::string_view(feature) == "subgroup_matrix" && told.at("kind") == "software_gpu";
      const bool has = !computes_f32 && features.dump().find(std::format("\"{}\"", feature)) != std::string::npos;
      require(has ? device.at("measured").at(name).get<double>() > 0 : device.at("measured").at(name).is_null(), "{}", name);
    }
  }
  require_equal(cache.files("calibration").size(), report.at("devices").size(), "files");
  const Session second(cache.path());
  const json before = first.devices(), after = second.devices();
  for (size_t i = 0; i < before.size(); ++i)
    for (const char* member : {"measured", "rank", "score", "why"})
      require_equal(after.at(i).at(member).dump(), before.at(i).at(member).dump(), member);
  require(second.warnings.empty(), "no warnings");
  const Session off(cache.path(), "off");
  require(!off.measured(), "off reads nothing");
  require_failure(DBK_FAILED_PRECONDITION, {"calibration", "off"}, [&] { off.measure(); });
}

void test_ranks_follow_the_figures() {
  const CacheDirectory cache;
  const Session session(cache.path());
  session.measure();
  const json devices = session.devices();
  const json chosen = json::parse(session.context.report("device")).at("default").at("index");
  for (const json& a : devices) {
    require(a.at("why").get<std::string>().starts_with("measured: "), "why");
    require_equal(a.at("score").get<uint32_t>(), session.context.device(a.at("index")).score, "score of the struct");
    require_equal(a.at("rank") == 1, a.at("index") == chosen, "the best is the default");
    for (const json& b : devices) {
      if (a.at("rank") < b.at("rank")) require(a.at("score") >= b.at("score"), "ranks and scores");
      const auto rate = [](const json& d, const char* name) { return d.at("measured").at(name).get<double>(); };
      bool slower = rate(a, "round_trip_microseconds") > rate(b, "round_trip_microseconds") &&
                    rate(a, "dispatch_microseconds") > rate(b, "dispatch_microseconds");
      for (const char* name : {"upload_gigabytes_per_second", "readback_gigabytes_per_second",
                               "memory_gigabytes_per_second", "matmul_f32_gigaflops"})
        slower = slower && rate(a, name) < rate(b, name);
      for (const char* name : {"matmul_f16_gigaflops", "matmul_f16_f32acc_gigaflops"}) {  // null: it has none
        const auto optional = [&](const json& d) { return d.at("measured").at(name).is_null() ? 0 : rate(d, name); };
        slower = slower && (optional(a) < optional(b) || (optional(a) == 0 && optional(b) == 0));
      }
      if (b.at("kind") == "software_gpu" && a.at("kind") == "cpu")
        require_equal(a.at("rank") > b.at("rank"), slower,
                      "software comes before the CPU where it is faster in everything");
      if (slower) require(a.at("rank") > b.at("rank"), "what is slower in everything ranks behind");
    }
  }
  require_equal(devices.back().at("kind").get<std::string>(), "cpu", "the CPU is last in the list, whatever its rank");
}

void test_without_figures_the_kind_decides() {
  const Session session("");
  const json devices = session.devices();
  for (const json& device : devices) {
    require(device.at("measured").is_null() && device.at("why").get<std::string>().starts_with("not measured: "),
            "why");
    if (device.at("kind") == "software_gpu")
      require(device.at("rank") > devices.back().at("rank"), "the CPU before software");
    if (device.at("kind") == "discrete_gpu")
      require(device.at("rank") < devices.back().at("rank"), "a GPU before the CPU");
  }
}

// With a choice to make, the first default device is chosen by figures.
void test_auto_measures_where_there_is_a_choice() {
  const CacheDirectory cache;
  const Session session(cache.path(), "auto");
  GraphBuilder g(20);
  g.output(g.node("Relu", {g.input<float>("x", Dims{3})}), "y");
  require(cache.files("calibration").empty(), "opening a context measures nothing");
  session.context.compile(g, {.device = session.context.device_count() - 1});
  require(cache.files("calibration").empty(), "nor does a device that is named");
  session.context.compile(g, {.options = Options().set("policy", "cpu_only")});
  require(cache.files("calibration").empty(), "nor does a policy that leaves no choice");
  session.context.compile(g);
  require_equal(cache.files("calibration").size(), on_gpu() ? session.context.device_count() : 0, "files");
}

// A product of this size, on a device that nothing names. `most_rows`: of rows that runs may change, -1 for any number.
daybreak::Executable unnamed(const daybreak::Context& context, int64_t size, const Options& options = {}, std::optional<int64_t> most_rows = {}) {
  GraphBuilder g(20);
  const daybreak::Shape rows_by_size = most_rows ? daybreak::Shape{g.symbol("rows", 1, *most_rows), size} : daybreak::Shape{size, size};
  g.output(g.node("MatMul", {g.input<float>("x", rows_by_size), g.param<float>("w", Dims{size, size})}), "y");
  return context.compile(g, {.options = options});
}

json choice_of(const daybreak::Executable& exec) { return report(exec, "placement").at("device_choice"); }

// Where every device is measured, each graph goes to the one that should run it fastest; software does not come before the CPU.
void test_graphs_choose_their_device() {
  if (!on_gpu()) return;
  const CacheDirectory cache;
  const Session session(cache.path());
  require(choice_of(unnamed(session.context, 8)).at("estimates").empty(), "without figures nothing is estimated");
  session.measure();
  const json devices = session.devices();
  for (const int64_t size : {8, 1024}) {
    const auto exec = unnamed(session.context, size);
    const json choice = choice_of(exec);
    require_equal(choice.at("estimates").size(), devices.size(), "estimates");
    const auto chosen = exec.device();
    const auto time = [&](size_t i) { return choice.at("estimates").at(i).at("microseconds").get<double>(); };
    require(choice.at("reason").get<std::string>().find(std::format("ms on {} '", chosen)) != std::string::npos, "{}", choice.dump());
    for (const json& device : devices)
      if (device.at("kind") != "software_gpu" || device.at("rank") < devices.back().at("rank"))
        require(time(chosen) <= time(device.at("index")), "the least time");
    if (devices.at(chosen).at("kind") == "software_gpu") require(devices.at(chosen).at("rank") < devices.back().at("rank"), "software");
    require_equal(choice_of(unnamed(session.context, size)).dump(), choice.dump(), "the same again");
    const double total = report(exec, "cost").at("devices").at(chosen).at("microseconds").get<double>();
    require(std::abs(total - time(chosen)) < 1e-6 * total, "report cost says the same");
  }
}

void test_what_decides_before_estimates() {
  if (!on_gpu()) return;
  const CacheDirectory cache;
  const Session session(cache.path());
  session.measure();
  const uint32_t cpu = session.context.device_count() - 1;
  const auto only = unnamed(session.context, 8, Options().set("policy", "cpu_only"));
  require(only.device() == cpu && choice_of(only).at("reason") == "policy cpu_only", "cpu_only");
  const auto named = unnamed(session.context, 8, Options().set("device", "gpu"));
  require(named.device() != cpu && choice_of(named).at("reason") == "option device=gpu", "device");
  require(unnamed(session.context, 8, Options().set("policy", "require_gpu")).device() != cpu, "require_gpu");
  require_equal(choice_of(unnamed(session.context, 8, {}, 64)).at("estimates").size(), cpu + 1, "the largest extents stand for others");
  const json open = choice_of(unnamed(session.context, 8, {}, -1));
  require(open.at("estimates").empty() && open.at("reason").get<std::string>().find("without a maximum") != std::string::npos, "{}", open.dump());
}

void test_measuring_is_not_the_hosts_work() {
  const Session session("");
  session.measure();
  const json counts = json::parse(session.context.report("stats"));
  for (const char* name : {"runs", "dispatches", "upload_bytes", "weight_bytes", "activation_bytes", "objects"})
    require_equal(counts.at(name).get<uint64_t>(), 0u, name);
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void test_bad_files_are_ignored() {
  const CacheDirectory cache;
  Session(cache.path()).measure();
  const std::vector<fs::path> files = cache.files("calibration");
  const std::string whole = read(files.front());
  const auto changed = [&](size_t at) {
    return std::string(whole).replace(at, 1, 1, static_cast<char>(whole[at] ^ 1));
  };
  for (const std::string& text :
       {std::string(), whole.substr(0, whole.size() / 2), whole.substr(0, whole.size() - 1), whole + "x", changed(0),
        changed(15), changed(40), changed(whole.size() - 3), std::string(5000, '\0')}) {
    write(files.front(), text);
    const Session session(cache.path());
    require_equal(session.warnings.size(), 1u, std::format("warnings for {} bytes", text.size()).c_str());
    require(session.warnings.front().find(files.front().string()) != std::string::npos, "{}", session.warnings.front());
    require(!session.measured(), "a bad file is no figure");
    if (session.context.device_count() > 1)
      require(session.devices().front().at("why").get<std::string>().starts_with("not measured"),
              "figures of some devices rank none");
  }
  fs::remove(files.front());
  fs::create_directory(files.front());
  Session unreadable(cache.path());
  require(!unreadable.measured() && unreadable.warnings.size() == 1, "a directory is no file");
  unreadable.measure();  // which cannot be kept, but is known
  require(unreadable.measured() && unreadable.warnings.size() == 2, "what cannot be written");
}

// Writing past the limit of a process raises SIGXFSZ, which would end the host. Drivers of GPUs write files of their own, and do not care.
void test_a_process_that_may_not_write_files() {
  if (on_gpu()) return;
  const CacheDirectory cache;
  const Session session(cache.path());
  rlimit before{};
  require(getrlimit(RLIMIT_FSIZE, &before) == 0, "getrlimit");
  const rlimit tiny{16, before.rlim_max};
  require(setrlimit(RLIMIT_FSIZE, &tiny) == 0, "setrlimit");
  session.measure();
  require(setrlimit(RLIMIT_FSIZE, &before) == 0, "setrlimit");
  require(session.measured() && cache.files("calibration").empty(), "figures are there, files are not");
  require_equal(session.warnings.size(), 1u, "warnings");
}

// A whole file, with the figures of another setting: as another driver or build would leave it.
void test_files_of_another_key_are_ignored() {
  const CacheDirectory one, two;
  Session(one.path(), "cached", 1).measure();
  Session(two.path(), "cached", 2).measure();
  require(Session(one.path(), "cached", 1).measured(), "one thread");
  require(!Session(one.path(), "cached", 2).measured(), "two threads");
  const auto cpu_file = [](const CacheDirectory& d, const char* threads) {
    for (const fs::path& file : d.files("calibration"))
      if (read(file).find(std::string(threads) + " threads") != std::string::npos) return file;
    throw ops::Failure("no file of the CPU");
  };
  require(read(cpu_file(one, "1")).find("\nformat 2\n") != std::string::npos, "the version of the format is part of the key");
  write(cpu_file(one, "1"), read(cpu_file(two, "2")));
  const Session session(one.path(), "cached", 1);
  require(!session.measured() && session.warnings.size() == 1, "one warning");
  require(session.warnings.front().find("another") != std::string::npos, "{}", session.warnings.front());
}

// One measurement; what contexts with other kernels would make of it is not known.
void test_figures_belong_to_the_kernels_that_are_chosen() {
  if (!on_gpu()) throw Skip("settings of GPUs");
  const CacheDirectory cache;
  Session(cache.path()).measure();
  const auto measured = [&](const char* key, const auto& value) {
    const daybreak::Context context(plugin(), Options().set("cache_dir", cache.path()).set("calibration", "cached").set(key, value), {.name = "calibration test"});
    return !json::parse(context.report("device")).at("devices").at(0).at("measured").is_null();
  };
  require(measured("autotune", "off"), "a setting that does not matter");
  require(!measured("validation", true), "validation");
  for (const char* key : {"max_binding", "coop_columns"}) require(!measured(key, int64_t{1 << 20}), "{}", key);
  for (const auto& [key, value] : {std::pair{"precision_threshold", 0.1}, {"oscillation_gate", 0.35}}) require(!measured(key, value), "{}", key);
  for (const auto& [key, value] : {std::pair{"kernels", "hardware"}, {"coop", "0"}, {"matmul_family", "lane"}}) require(!measured(key, value), "{}", key);
  size_t of_dawn = 0;
  for (const fs::path& file : cache.files("calibration")) of_dawn += read(file).find("\nDawn ") != std::string::npos;
  require_equal(of_dawn, cache.files("calibration").size() - 1, "files that belong to a build of Dawn: all but the CPU's");
}

void test_wrong_settings() {
  require_failure(DBK_INVALID_ARGUMENT, {"calibration", "sometimes"}, [] { Session("", "sometimes"); });
}

// y = softmax(x W) and its costs, known by hand; with figures each step takes what the slower of arithmetic and memory
// takes.
void test_costs() {
  const CacheDirectory cache;
  const Session session(cache.path());
  GraphBuilder g(20);
  const auto x = g.input<float>("x", Dims{5, 7, 11});
  const auto product = g.node(daybreak::Op("MatMul").named("product"), {x, g.param<float>("w", Dims{11, 13})});
  const auto batched = g.node(daybreak::Op("MatMul").named("batched"), {product, g.input<float>("z", Dims{5, 13, 3})});
  g.output(g.node(daybreak::Op("Softmax").named("softmax"), {batched}), "y");
  const auto exec =
      session.context.compile(g, {.options = unfused(), .device = on_gpu() ? 0 : session.context.device_count() - 1});
  const json before = report(exec, "cost");
  require_equal(before.at("schema").get<std::string>(), "daybreak.cost/1", "schema");
  session.measure();
  const json after = report(exec, "cost");
  const struct {
    const char* name;
    double flops, bytes;
  } rows[] = {{"product", 2.0 * 5 * 7 * 13 * 11, 4.0 * (5 * 7 * 11 + 11 * 13 + 5 * 7 * 13)},
              {"batched", 2.0 * 5 * 7 * 3 * 13, 4.0 * (5 * 7 * 13 + 5 * 13 * 3 + 5 * 7 * 3)},
              {"softmax", 5 * 7 * 3, 8.0 * 5 * 7 * 3}};
  const json rates = session.devices().at(after.at("device").get<size_t>()).at("measured");
  const auto rate = [&](const char* name) { return rates.at(name).get<double>(); };
  double sum = rate("round_trip_microseconds") +
               4e-3 * (5 * 7 * 11 + 5 * 13 * 3) / rate("upload_gigabytes_per_second") +
               4e-3 * 5 * 7 * 3 / rate("readback_gigabytes_per_second");
  for (size_t i = 0; i < std::size(rows); ++i) {
    const json& node = after.at("nodes").at(i);
    require_equal(node.at("name").get<std::string>(), rows[i].name, "name");
    require(std::abs(node.at("flops").get<double>() - rows[i].flops) < 1e-6 * rows[i].flops, "{}", rows[i].name);
    require_equal(node.at("bytes").get<double>(), rows[i].bytes, rows[i].name);
    require(before.at("nodes").at(i).at("device_microseconds").is_null(), "no figures, no times");
    const double time = std::max(rows[i].flops * 1e-3 / rate("matmul_f32_gigaflops"),
                                 rows[i].bytes * 1e-3 / rate("memory_gigabytes_per_second")) +
                        rate("dispatch_microseconds");
    require(std::abs(node.at("device_microseconds").get<double>() - time) < 1e-6 * time, "microseconds");
    sum += time;
  }
  const double total = after.at("devices").at(after.at("device").get<size_t>()).at("microseconds").get<double>();
  require(std::abs(total - sum) < 1e-6 * sum, "all of the graph");
}

}  // namespace graphs

int main(int argc, char** argv) {
  using namespace graphs;
  return run_tests(
      argc, argv, __FILE__,
      {GRAPH_TEST(test_figures_are_measured_and_kept), GRAPH_TEST(test_ranks_follow_the_figures),
       GRAPH_TEST(test_without_figures_the_kind_decides), GRAPH_TEST(test_auto_measures_where_there_is_a_choice),
       GRAPH_TEST(test_graphs_choose_their_device), GRAPH_TEST(test_what_decides_before_estimates),
       GRAPH_TEST(test_measuring_is_not_the_hosts_work),
       GRAPH_TEST(test_bad_files_are_ignored), GRAPH_TEST(test_a_process_that_may_not_write_files), GRAPH_TEST(test_files_of_another_key_are_ignored),
       GRAPH_TEST(test_figures_belong_to_the_kernels_that_are_chosen), GRAPH_TEST(test_wrong_settings), GRAPH_TEST(test_costs)});
}
