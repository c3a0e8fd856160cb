// Kernels for products are measured where the context asks for it (option autotune), and the fastest is taken: with the numbers that it
// gives when it is forced, in later contexts, too, and for all rows that runs may have. A file of times that is damaged or of somebody else
// is ignored with a line in the log.
#include <thread>

#include "tests/graphs/tuned_layer.h"

namespace {

using namespace graphs;

void test_fastest_is_taken() {
  only_on_gpus();
  const Tuned tuned(tuning("quick"));
  const daybreak::Executable exec = layer_in(tuned.context);
  const json choice = choice_in(exec.report("placement"));
  require(is_measured(choice), "{}", choice.dump());
  const json times = choice.at("measured");
  require(times.size() >= 2 && times.size() <= 6, "{} kernels", times.size());
  for (size_t i = 1; i < times.size(); ++i) require(times[i - 1].at("microseconds") <= times[i].at("microseconds"), "{}", times.dump());
  const std::string family = choice.at("family"), variant = choice.at("variant");
  require_equal(family + " " + variant, times[0].at("kernel").get<std::string>(), "the fastest");
  const Tuned forced(Options().set("matmul_family", family).set("matmul_variant", variant));
  const daybreak::Executable same = layer_in(forced.context);
  require_same(result_of(exec), result_of(same), "bits of the forced kernel");
  require_equal(tuned.warnings.size(), size_t{0}, "warnings");
  const Tuned untuned(Options().set("autotune", "off"));
  const uint64_t usual = layer_in(untuned.context).stats().pipelines_built;  // those of the fastest are there already
  require(exec.stats().pipelines_built <= usual, "measuring counts nowhere: {} pipelines instead of {}", exec.stats().pipelines_built, usual);
}

void test_every_kernel_that_is_measured_can_be_forced() {
  only_on_gpus();
  const Tuned tuned(tuning("full"));
  const Floats expected = result_of(layer_in(Tuned(Options().set("matmul_family", "lane")).context));
  const json times = choice_in(layer_in(tuned.context).report("placement")).at("measured");
  require(times.size() >= 3, "{} kernels", times.size());
  for (const json& time : times) {
    const std::string kernel = time.at("kernel");
    const size_t space = kernel.find(' ');
    const Tuned forced(Options().set("matmul_family", kernel.substr(0, space)).set("matmul_variant", kernel.substr(space + 1)));
    const daybreak::Executable exec = layer_in(forced.context);
    require_equal(choice_in(exec.report("placement")).at("variant").get<std::string>(), kernel.substr(space + 1), kernel.c_str());
    const Floats got = result_of(exec);
    for (size_t i = 0; i < got.size(); ++i) require(std::abs(got[i] - expected[i]) <= 1e-4f, "{}: {} instead of {}", kernel, got[i], expected[i]);
  }
}

void test_later_contexts_find_it() {
  only_on_gpus();
  const CacheDirectory cache;
  const json first = choice_in(layer_in(Tuned(tuning("quick", cache.path())).context).report("placement"));
  require_equal(cache.files("tuning").size(), size_t{1}, "files");
  const Tuned later(Options().set("cache_dir", cache.path()));
  require_equal(choice_in(layer_in(later.context).report("placement")).dump(), first.dump(), "the choice of a later context");
  require(!is_measured(choice_in(layer_in(later.context, 2 * kRows).report("placement"))), "other rows were not measured");
  const Tuned pinned(tuning("off", cache.path()));
  const json by_rule = choice_in(layer_in(pinned.context).report("placement"));
  require(!is_measured(by_rule), "autotune=off does not look: {}", by_rule.dump());
  const std::string taken = by_rule.at("family").get<std::string>() + " " + by_rule.at("variant").get<std::string>();
  require_equal(taken, by_rule.at("heuristic").get<std::string>(), "the rule");
  const Tuned validated(Options().set("cache_dir", cache.path()).set("validation", true));
  require(!is_measured(choice_in(layer_in(validated.context).report("placement"))), "times are for kernels without bounds checks");
}

void test_damaged_files() {
  only_on_gpus();
  const CacheDirectory cache;
  const Tuned writer(tuning("quick", cache.path()));
  layer_in(writer.context);
  const fs::path file = cache.files("tuning").at(0);
  std::ifstream in(file, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(in), {});
  const auto with = [&](std::string text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
    const Tuned reader(Options().set("cache_dir", cache.path()));
    const bool measured = is_measured(choice_in(layer_in(reader.context).report("placement")));
    return std::pair(measured, reader.warnings.size());
  };
  require(with(whole) == std::pair(true, size_t{0}), "the file as it was");
  for (const size_t length : {size_t{0}, size_t{1}, whole.size() / 2, whole.size() - 1})
    require(with(whole.substr(0, length)) == std::pair(false, size_t{1}), "{} of {} bytes", length, whole.size());
  for (size_t at = 0; at < whole.size(); at += 37) {
    std::string changed = whole;
    changed[at] ^= 1;
    require(with(changed) == std::pair(false, size_t{1}), "byte {} is another", at);
  }
  fs::remove(file);
  fs::create_directory(file);
  const Tuned nowhere(tuning("quick", cache.path()));
  require(is_measured(choice_in(layer_in(nowhere.context).report("placement"))), "a file that cannot be written costs nothing else");
  require_equal(nowhere.warnings.size(), size_t{2}, "warnings: one for reading, one for writing");
}

// A file that another driver or version left beside is whole and not ours, whatever its name.
void test_files_of_other_drivers() {
  only_on_gpus();
  const CacheDirectory cache;
  layer_in(Tuned(tuning("quick", cache.path())).context);
  const fs::path own = cache.files("tuning").at(0);
  const Floats expected = result_of(layer_in(Tuned(Options()).context));
  const auto require_ignored = [&](const char* what) {
    const Tuned reader(Options().set("cache_dir", cache.path()));
    const daybreak::Executable exec = layer_in(reader.context);
    require(!is_measured(choice_in(exec.report("placement"))), "{}: its times are used", what);
    require_equal(reader.warnings.size(), size_t{1}, what);
    require(reader.warnings[0].find("is ignored: ") != std::string::npos && reader.warnings[0].find("driver") != std::string::npos, "{}", reader.warnings[0]);
    require_same(result_of(exec), expected, what);
  };
  std::string other = own.filename();
  other.back() = other.back() == '0' ? '1' : '0';
  fs::rename(own, own.parent_path() / other);
  require_ignored("a name of another driver");
  const Tuned writer(tuning("quick", cache.path()));
  require(is_measured(choice_in(layer_in(writer.context).report("placement"))), "measured anew");
  require_equal(cache.files("tuning").size(), size_t{2}, "files: each driver keeps its own");
  require(Tuned(Options().set("cache_dir", cache.path())).warnings.empty(), "there is one of this driver, too");
  fs::remove(own.parent_path() / other);
  layer_in(Tuned(tuning("quick", cache.path()).set("kernels", "hardware")).context);
  for (const fs::path& file : cache.files("tuning"))
    if (file != own) fs::rename(file, own);
  require_ignored("a key of another device");
}

// One weight in one order for all rows, and no kernel to build when they come.
void test_rows_that_change() {
  only_on_gpus();
  for (const char* level : {"quick", "full"}) {
    const Tuned tuned(tuning(level));
    GraphBuilder g;
    write_layer(g, {g.symbol("rows", 1, kRows), kDepth});
    daybreak::Executable exec = tuned.context.compile(g, {.device = device().index});
    exec.ready();
    daybreak::Run run(exec);
    const uint64_t built = exec.stats().pipelines_built;
    for (const int64_t rows : {kRows, int64_t{1}, int64_t{7}, kRows / 2, int64_t{3}}) {
      const Floats got = run_once(run, numbers(size_t(rows * kDepth), 1), {rows, kDepth});
      const json choice = choice_in(run.report("placement"));
      require(std::string_view(level) == "quick" ? rows != kRows || is_measured(choice) : rows == 3 || rows == 7 || is_measured(choice),
              "{} rows at level {}: {}", rows, level, choice.at("reason").get<std::string>());
      const Floats expected = result_of(layer_in(context(), rows), rows);
      for (size_t i = 0; i < got.size(); ++i) require(std::abs(got[i] - expected[i]) <= 1e-4f, "{} rows: {} instead of {}", rows, got[i], expected[i]);
      require_equal(exec.stats().pipelines_built, built, "pipelines built after ready");
    }
  }
}

// Kernels of f16, with sums in f16 too, pass the comparison with the reference, alone and with a function behind them that rounds.
void test_right_kernels_of_f16_agree() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_F16)) throw Skip("no f16");
  constexpr int64_t kLong = 1000;
  static const std::vector<_Float16> weight(size_t(kLong * kColumns), _Float16(0.5f)), bias(size_t(kColumns), _Float16(1));
  for (const char* kernels : {"software", "hardware"})
    for (const bool function : {false, true}) {
      const Tuned tuned(tuning("quick").set("kernels", kernels));
      GraphBuilder g;
      const Value w = g.param("w", DBK_F16, {kLong, kColumns}, std::as_bytes(std::span(weight))), b = g.param("b", DBK_F16, {kColumns}, std::as_bytes(std::span(bias)));
      Value y = g.node("MatMul", {g.input("x", DBK_F16, {kRows, kLong}), w});
      if (function) y = g.node("Gelu", {g.node("Add", {y, b})});
      g.output(y, "y");
      daybreak::Executable exec = tuned.context.compile(g, {.options = Options().set("precision", "f16"), .device = device().index});
      exec.ready();
      const json choice = choice_in(exec.report("placement"));
      require(is_measured(choice), "{}", choice.dump());
      require(tuned.warnings.empty(), "{}", tuned.warnings.empty() ? "" : tuned.warnings[0]);
    }
}

// Products that store the other type are measured so, and for themselves: times of one that stores its own are no answer.
void test_casts_are_measured_apart() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_F16)) throw Skip("no f16");
  for (const uint32_t dtype : {DBK_F32, DBK_F16}) {
    const Tuned tuned(tuning("quick").set("kernels", "hardware"));
    json products;
    for (const bool casts : {false, true}) {
      GraphBuilder g;
      Value y = g.node("Relu", {g.node("MatMul", {g.input("x", dtype, {kRows, kDepth}), g.input("w", dtype, {kDepth, kColumns})})});
      if (casts) y = g.node("Cast", {y}, {{"to", dtype == DBK_F32 ? 10 : 1}});
      g.output(y, "y");
      daybreak::Executable exec = tuned.context.compile(g, {.device = device().index});
      exec.ready();
      const json choice = choice_in(exec.report("placement"));
      require(is_measured(choice), "{}", choice.dump());
      products.push_back(choice.at("product"));
    }
    require(products[0] != products[1] && products[1].get<std::string>().find(" cast ") != std::string::npos, "{}", products.dump());
    require(tuned.warnings.empty(), "{}", tuned.warnings.empty() ? "" : tuned.warnings[0]);
  }
}

// Queries, keys and values of one input, read by one attention: the placement report's row of the layer.
using Attend = Value (*)(GraphBuilder&, Value q, Value k, Value v);
Value attend(GraphBuilder& g, Value q, Value k, Value v) {
  return g.node(daybreak::Op("Attention").in("ai.daybreak"), {q, k, v}, {{"heads", 4}, {"kv_heads", 4}, {"head_size", 8}, {"v_head_size", 8}});
}

json projection_in(const daybreak::Context& context, const char* form = "auto", Attend attends = attend) {
  constexpr int64_t kPositions = 24, kWidth = 32;
  static const Floats weight = numbers(size_t(kWidth * kWidth), 5);
  GraphBuilder g;
  const Value x = g.input("x", DBK_F32, {1, kPositions, kWidth});
  const auto projected = [&](const char* name) { return g.node("MatMul", {x, g.param(name, std::span(weight), {kWidth, kWidth})}); };
  const Value q = projected("q"), k = projected("k"), v = projected("v");
  g.output(attends(g, q, k, v), "y");
  const Options options = Options().set("internal_ops", true).set("qkv", form);
  daybreak::Executable exec = context.compile(g, {.options = options, .device = device().index});
  exec.ready();
  return json::parse(exec.report("placement")).at("projections").at(0);
}

void test_forms_of_projections() {
  only_on_gpus();
  const CacheDirectory cache;
  const Tuned tuned(tuning("quick", cache.path()));
  const json layer = projection_in(tuned.context);
  const json times = layer.at("measured_us");
  require_equal(times.size(), size_t{3}, "forms that were measured");
  for (const char* form : {"packed", "split", "plain"})
    require(times.at(layer.at("form").get<std::string>()) <= times.at(form), "not the fastest: {}", layer.dump());
  require_equal(layer.at("reason").get<std::string>(), std::string("the fastest that was measured"), "the reason");
  require_equal(tuned.warnings.size(), size_t{0}, "warnings");
  const Tuned later(Options().set("cache_dir", cache.path()));
  require_equal(projection_in(later.context).dump(), layer.dump(), "the choice of a later context");
  require_equal(projection_in(later.context, "split").at("reason").get<std::string>(), std::string("option qkv=split"), "forced");
  const json by_rule = projection_in(Tuned(tuning("off", cache.path())).context);
  require(!by_rule.contains("measured_us"), "autotune=off does not look: {}", by_rule.dump());
  require(!projection_in(Tuned(tuning("quick", "", 0)).context).contains("measured_us"), "a budget of 0 measures nothing");
}

Value attend_multi_head(GraphBuilder& g, Value q, Value k, Value v) {
  return g.node(daybreak::Op("MultiHeadAttention").in("com.microsoft"), {q, k, v}, {{"num_heads", 4}});
}
Value attend_onnx(GraphBuilder& g, Value q, Value k, Value v) { return g.node(daybreak::Op("Attention").in("", 23), {q, k, v}, {{"q_num_heads", 4}, {"kv_num_heads", 4}}); }
Value attend_grouped(GraphBuilder& g, Value q, Value k, Value v) {
  const Value last = g.constant<int32_t>({23}), total = g.constant<int32_t>({24});
  return g.node(daybreak::Op("GroupQueryAttention").in("com.microsoft"), {q, k, v, daybreak::absent, daybreak::absent, last, total}, {{"num_heads", 4}, {"kv_num_heads", 4}});
}

std::string kept_of_layers(const CacheDirectory& cache) { return kept_of(cache, "projections "); }

// Layers of other attention ops are other layers, with times of their own.
void test_forms_of_attention_ops() {
  only_on_gpus();
  const CacheDirectory cache;
  const Tuned tuned(tuning("quick", cache.path()));
  for (const Attend attends : {attend, attend_multi_head, attend_onnx, attend_grouped})
    require_equal(projection_in(tuned.context, "auto", attends).at("measured_us").size(), size_t{3}, "forms that were measured");
  require_equal(tuned.warnings.size(), size_t{0}, "warnings");
  const std::string kept = kept_of_layers(cache);
  require_equal(std::ranges::count(kept, '\n'), ptrdiff_t{4}, kept.c_str());
  for (const char* op : {"widths=32,32,32 heads=4 ", " MultiHeadAttention heads=4 ", " ai.onnx.Attention heads=4 ", " GroupQueryAttention heads=4 "})
    require(has(kept, op), "no '{}' in {}", op, kept);
}

// Times are of the kernels that a device chooses: where options force some, none are made, and those that there are do not count.
void test_forms_under_forced_kernels() {
  only_on_gpus();
  const CacheDirectory cache;
  const auto forced = [&] {
    return std::vector{tuning("cached", cache.path()).set("matmul_family", "lane"), tuning("quick", cache.path()).set("coop", "0"),
                       tuning("quick", cache.path()).set("coop_columns", int64_t{100}), tuning("quick", cache.path()).set("precision_threshold", 0.1)};
  };
  const auto require_no_times = [&](const char* when) {
    for (const Options& options : forced()) {
      const json layer = projection_in(Tuned(options).context);
      require(!layer.contains("measured_us"), "{}: {}", when, layer.dump());
    }
  };
  require_no_times("measured with forced kernels");
  require_equal(kept_of_layers(cache), std::string(), "kept of forced kernels");
  require(projection_in(Tuned(tuning("quick", cache.path())).context).contains("measured_us"), "nothing was measured");
  require_no_times("times of other kernels");
}

// As on graphics hardware, which uses matrices of subgroups by itself: times that were made without them, because of an option or the
// precision guard, are no answer where they may be used.
void test_times_without_matrices_stay_apart() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  const auto restricted = [](const CacheDirectory& cache) {
    const Options usual = tuning("quick", cache.path()).set("kernels", "hardware");
    return std::vector{Options(usual).set("coop", "0"), Options(usual).set("coop_columns", kColumns - 1), Options(usual).set("precision_threshold", 1e-6)};
  };
  const auto choice = [](const Options& options) { return choice_in(layer_in(Tuned(options).context, kRows, "auto").report("placement")); };
  const auto measured_matrices = [](const json& choice) {
    return std::ranges::any_of(choice.at("measured"), [](const json& time) { return time.at("kernel").get<std::string>().starts_with("coop "); });
  };
  for (size_t i = 0; i < 3; ++i) {
    const CacheDirectory cache;
    const Options without = restricted(cache)[i];
    const json first = choice(without), open = choice(tuning("quick", cache.path()).set("kernels", "hardware"));
    require(is_measured(first) && !measured_matrices(first), "restricted: {}", first.dump());
    require(measured_matrices(open), "never measured: {}", open.dump());
    const json again = choice(without);
    require(is_measured(again) && again.at("family") != "coop", "taken where they may not be used: {}", again.dump());
  }
}

void test_forms_are_measured_all_or_none() {
  only_on_gpus();
  const CacheDirectory cache;
  const json layer = projection_in(Tuned(tuning("quick", cache.path(), 1)).context);
  require_equal(layer.at("measured_us").size(), size_t{3}, "forms of a layer at whose first the budget ends");
  require(!has(kept_of_layers(cache), ", thorough"), "thorough at level quick: {}", kept_of_layers(cache));
  projection_in(Tuned(tuning("full", cache.path())).context);
  require(has(kept_of_layers(cache), ", thorough"), "level full measures again: {}", kept_of_layers(cache));
}

// Layers that no attention reads have several results.
void test_forms_of_several_results() {
  only_on_gpus();
  const Tuned tuned(tuning("quick"));
  static const Floats weight = numbers(size_t(kDepth * kColumns), 6);
  GraphBuilder g;
  const Value x = g.input("x", DBK_F32, {kRows, kDepth});
  for (const char* name : {"a", "b", "c"}) g.output(g.node("MatMul", {x, g.param(name, std::span(weight), {kDepth, kColumns})}), std::string("of ") + name);
  daybreak::Executable exec = tuned.context.compile(g, {.device = device().index});
  const json layer = json::parse(exec.report("placement")).at("projections").at(0);
  require_equal(layer.at("measured_us").size(), size_t{2}, "forms that were measured");
  require_equal(tuned.warnings.size(), size_t{0}, "warnings");
}

// What comes to nothing once in a compile is not tried for the next layer of the kind; a budget of 0 is such a failure.
void test_equal_layers_are_tried_once() {
  only_on_gpus();
  std::vector<std::string> lines;
  daybreak::Host host;
  host.name = "autotune test", host.log_level = DBK_LOG_INFO, host.log = [&](uint32_t, std::string_view text) { lines.emplace_back(text); };
  const daybreak::Context talkative(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), tuning("quick", "", 0), host);
  static const Floats weight = numbers(size_t(kDepth * kColumns), 6);
  GraphBuilder g;
  for (const std::string layer : {"first", "second", "third"}) {
    const Value x = g.input(layer, DBK_F32, {kRows, kDepth});
    for (const char* name : {" a", " b"}) g.output(g.node("MatMul", {x, g.param(layer + name, std::span(weight), {kDepth, kColumns})}), layer + name + " out");
  }
  const daybreak::Executable exec = talkative.compile(g, {.device = device().index});
  require_equal(json::parse(exec.report("placement")).at("projections").size(), size_t{3}, "layers");
  const auto told = std::ranges::count_if(lines, [](const std::string& line) { return has(line, "not measured: forms of projections f32"); });
  require_equal(told, ptrdiff_t{1}, "lines about layers without times");
}

void test_it_can_be_watched_and_stopped() {
  only_on_gpus();
  const Tuned tuned(tuning("quick"));
  GraphBuilder g;
  write_layer(g, {kRows, kDepth});
  daybreak::Executable exec = tuned.context.compile(g, {.device = device().index});
  uint64_t last = 0, total = 0;
  const auto stop = [](const daybreak::Progress& progress) { return progress.stage != DBK_STAGE_TUNE || progress.done < 2; };
  require_failure(DBK_CANCELLED, {}, [&] { exec.ready(stop); });
  exec.ready([&](const daybreak::Progress& progress) {
    if (progress.stage == DBK_STAGE_TUNE) require(progress.done >= last, "progress goes back"), last = progress.done, total = progress.total;
    return true;
  });
  require(last >= 2 && last == total, "{} of {} candidates", last, total);
  require(is_measured(choice_in(exec.report("placement"))), "measured in the end");
}

void test_budget() {
  only_on_gpus();
  const Tuned none(tuning("quick", "", 0));
  require(!is_measured(choice_in(layer_in(none.context).report("placement"))), "a budget of 0 measures nothing");
}

// The choice for a layer whose budget ends when so many kernels were tried.
json choice_when_cut(const char* level, const CacheDirectory& cache, uint64_t tried = 2) {
  constexpr int64_t kBudget = 3000;  // on any machine enough for two
  const Tuned tuned(tuning(level, cache.path(), kBudget));
  GraphBuilder g;
  write_layer(g, {kRows, kDepth});
  daybreak::Executable exec = tuned.context.compile(g, {.device = device().index});
  exec.ready([tried](const daybreak::Progress& progress) {
    if (progress.stage == DBK_STAGE_TUNE && progress.done == tried) std::this_thread::sleep_for(std::chrono::milliseconds(kBudget + 50));
    return true;
  });
  return choice_in(exec.report("placement"));
}

// With one kernel there is nothing to compare: no other is compiled for that, and nothing is kept.
void test_nothing_is_begun_when_the_budget_is_over() {
  only_on_gpus();
  const CacheDirectory cache;
  for (const uint64_t tried : {0, 1}) {
    const json cut = choice_when_cut("quick", cache, tried);
    require(!is_measured(cut) && cut.at("measured").empty(), "{} tried: {}", tried, cut.dump());
    require_equal(cache.files("tuning").size(), size_t{0}, "files of times");
  }
}

// A run that takes longer than the budget is not followed by others: of the product, the rule's kernel is compiled at most.
void test_a_short_budget_builds_one_kernel() {
  only_on_gpus();
  std::vector<std::string> lines;
  daybreak::Host host;
  host.name = "autotune test", host.log_level = DBK_LOG_INFO, host.log = [&](uint32_t, std::string_view text) { lines.emplace_back(text); };
  const daybreak::Context talkative(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), tuning("quick", "", 1), host);
  constexpr int64_t kSide = 512;
  static const Floats weight = numbers(size_t(kSide * kSide), 2);
  GraphBuilder g;
  g.output(g.node("MatMul", {g.input("x", DBK_F32, {kSide, kSide}), g.param("w", std::span(weight), {kSide, kSide})}), "y");
  daybreak::Executable exec = talkative.compile(g, {.device = device().index});
  uint64_t last = 0, total = 0;
  exec.ready([&](const daybreak::Progress& progress) {
    if (progress.stage == DBK_STAGE_TUNE && progress.done < progress.total) last = progress.done;
    if (progress.stage == DBK_STAGE_TUNE) total = progress.total;
    return true;
  });
  require(total >= 2 && last <= 1, "{} of {} kernels in 1 ms", last, total);
  require(!is_measured(choice_in(exec.report("placement"))), "nothing was compared");
  require(std::ranges::any_of(lines, [](const std::string& line) { return has(line, "tune_budget_ms gives is over; not measured: product "); }), "no line says so");
}

void test_what_the_budget_cuts_is_measured_again() {
  only_on_gpus();
  const std::string kind = std::format("weight epilogue n={} k={}", kColumns, kDepth);
  for (const char* level : {"quick", "full"}) {
    const CacheDirectory cache;
    const json cut = choice_when_cut(level, cache);
    require_equal(cut.at("measured").size(), size_t{2}, "kernels until the budget ended");
    require(has(cut.at("reason"), "the time for measuring ended"), "{}", cut.dump());
    require(has(kept_of(cache, kind.c_str()), ", in part"), "kept as if all were tried: {}", kept_of(cache, kind.c_str()));
    const json again = choice_in(layer_in(Tuned(tuning(level, cache.path())).context).report("placement"));
    require(again.at("measured").size() > 2, "the rest is never measured: {}", again.dump());
    const std::string kept = kept_of(cache, kind.c_str());
    require(!has(kept, ", in part") && has(kept, ", thorough") == (std::string_view(level) == "full"), "level {}: {}", level, kept);
  }
}

void test_what_is_cut_replaces_nothing_better() {
  only_on_gpus();
  const CacheDirectory cache;
  const json quick = choice_in(layer_in(Tuned(tuning("quick", cache.path())).context).report("placement"));
  require_equal(choice_when_cut("full", cache).dump(), quick.dump(), "what was measured before");
}

void test_contradictions() {
  const auto fails = [](const Options& options, const std::vector<std::string>& parts) {
    require_failure(DBK_INVALID_ARGUMENT, parts, [&] { Tuned{options}; });
  };
  fails(Options().set("autotune", "sometimes"), {"autotune", "'sometimes'", "quick"});
  fails(Options().set("tune_budget_ms", int64_t{-1}), {"tune_budget_ms", "-1"});
  only_on_gpus();
  require_failure(DBK_INVALID_ARGUMENT, {"matmul_variant=9x9", "matmul_family=tile", "64x64x16"},
                  [&] { layer_in(Tuned(Options().set("matmul_family", "tile").set("matmul_variant", "9x9")).context); });
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__, {GRAPH_TEST(test_fastest_is_taken), GRAPH_TEST(test_every_kernel_that_is_measured_can_be_forced),
                                         GRAPH_TEST(test_later_contexts_find_it), GRAPH_TEST(test_damaged_files), GRAPH_TEST(test_files_of_other_drivers), GRAPH_TEST(test_rows_that_change), GRAPH_TEST(test_right_kernels_of_f16_agree), GRAPH_TEST(test_casts_are_measured_apart), GRAPH_TEST(test_forms_of_projections), GRAPH_TEST(test_forms_of_attention_ops),
                                         GRAPH_TEST(test_forms_under_forced_kernels), GRAPH_TEST(test_times_without_matrices_stay_apart), GRAPH_TEST(test_forms_are_measured_all_or_none), GRAPH_TEST(test_forms_of_several_results),
                                         GRAPH_TEST(test_equal_layers_are_tried_once),
                                         GRAPH_TEST(test_it_can_be_watched_and_stopped), GRAPH_TEST(test_budget),
                                         GRAPH_TEST(test_nothing_is_begun_when_the_budget_is_over), GRAPH_TEST(test_a_short_budget_builds_one_kernel),
                                         GRAPH_TEST(test_what_the_budget_cuts_is_measured_again), GRAPH_TEST(test_what_is_cut_replaces_nothing_better), GRAPH_TEST(test_contradictions)});
}
