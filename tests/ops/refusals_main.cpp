// usage: ops_refusals KIND - every attribute of every op, out of its domain (bad_attributes.h), on the devices of that kind
//                            (device_list.h): compiling is refused with a status that blames the caller and a text that names the node,
//                            the attribute and the value. What is taken all the same is listed here with the reason.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <format>

#include "plugin/graph/schema.h"
#include "tests/ops/bad_attributes.h"
#include "tests/ops/case_tables.h"
#include "tests/ops/device_list.h"
#include "tests/ops/node_graph.h"
#include "tests/ops/value_maker.h"

namespace {

using ops::BadAttribute;
using std::string_view;

// Of these every number but 0 means yes, as in ONNX Runtime.
constexpr string_view kFlags[] = {
    "align_corners", "allowzero", "antialias", "causal", "ceil_mode", "center_point_box", "channels_last", "count_include_pad", "detect_negative",
    "detect_positive", "exclude_outside", "exclusive", "fmod", "input_forget", "interleaved", "inverse", "is_causal", "keepdims", "largest", "layout",
    "linear_before_reset", "noop_with_empty_axes", "onesided", "periodic", "reverse", "rotary_interleaved", "saturate", "select_last_index",
    "smooth_softmax", "sorted", "storage_order", "training_mode", "transA", "transB", "transBatchA", "transBatchB", "unidirectional", "upper"};

struct Taken {
  string_view id, attribute;  // of a row, or of all where empty
  bool negative;              // also numbers below 0, else large ones alone
  string_view reason;
};
constexpr Taken kTaken[] = {
    {"", "strides", false, "what is large only makes results small"},
    {"", "dilations", false, "windows may reach beyond the input"},
    {"", "kernel_shape", false, "so may kernels"},
    {"", "pads", false, "memory decides"},
    {"", "output_padding", false, "memory decides"},
    {"", "output_shape", false, "memory decides"},
    {"", "output_height", false, "memory decides"},
    {"", "output_width", false, "memory decides"},
    {"", "pooled_shape", false, "memory decides"},
    {"", "shape", false, "memory decides"},
    {"", "sample_size", false, "memory decides"},
    {"", "n_targets", false, "memory decides"},
    {"", "p", false, "a norm of any order"},
    {"lrn", "size", false, "all channels"},
    {"tfidf_vectorizer", "max_gram_length", false, "n-grams of all lengths"},
    {"tfidf_vectorizer", "max_skip_count", false, "as far as the row goes"},
    {"tfidf_vectorizer", "pool_int64s", true, "any number may be looked for"},
    {"tfidf_vectorizer", "pool_strings", true, "not read beside pool_int64s"},
    {"label_encoder", "keys_int64s", true, "any number may be a key"},
    {"label_encoder", "keys_strings", true, "not read beside keys_int64s"},
    {"label_encoder", "values_strings", true, "not read beside values_int64s"},
    {"label_encoder", "default_string", true, "any text"},
    {"label_encoder", "default_int64", true, "any number"},
    {"tree_ensemble", "nodes_trueleafs", true, "a list of flags"},
    {"tree_ensemble", "nodes_falseleafs", true, "a list of flags"},
    {"tree_ensemble", "tree_roots", false, "a tree may be counted twice"},
    {"dropout", "seed", true, "any number"},
    {"eye_like", "k", true, "diagonals outside of the matrix are empty"},
    {"shape_of", "start", true, "ONNX clamps it"},
    {"shape_of", "end", true, "ONNX clamps it"},
    {"unique", "axis", true, "only the run tells shapes, and refuses it"},
    {"quantize_linear", "axis", true, "not read where there is one scale"},
    {"microsoft_quantize_linear", "axis", true, "not read where there is one scale"},
    {"dequantize_linear", "axis", true, "not read where there is one scale"},
    {"microsoft_dequantize_linear", "axis", true, "not read where there is one scale"},
    {"matmul_nbits", "accuracy_level", true, "a hint"},
    {"group_query_attention", "local_window_size", true, "below 0 there is no window"},
    {"group_query_attention", "kv_cache_bit_width", true, "not read without a quantised cache"},
};

// Refused for another reason than the value: there is a second attribute or input that says the same.
constexpr std::pair<string_view, string_view> kOther[] = {{"split", "num_outputs"}, {"constant", ""}};

bool left_out(const dbk::OpRow& row, const BadAttribute& bad) {
  return std::ranges::find(kFlags, bad.name) != std::end(kFlags) ||
         std::ranges::any_of(kOther, [&](const auto& o) { return o.first == row.id && (o.second.empty() || o.second == bad.name); });
}

bool may_be_taken(const dbk::OpRow& row, const BadAttribute& bad) {
  if (bad.real) return true;  // what is computed with it is no number or infinite
  return std::ranges::any_of(kTaken, [&](const Taken& t) {
    return (t.id.empty() || t.id == row.id) && t.attribute == bad.name && (t.negative || !bad.shown.starts_with('-'));
  });
}

// Empty, or what is wrong with the refusal. A list may be refused for its length; sizes that overflow are named as such.
std::string fault_of(const daybreak::Error& e, const BadAttribute& bad) {
  const std::string text = e.what();
  const auto has = [&](string_view part) { return text.find(part) != std::string::npos; };
  if (e.status() != DBK_INVALID_ARGUMENT && e.status() != DBK_UNIMPLEMENTED) return text;
  const bool value = has(bad.shown) || (bad.length > 0 && (has(std::format("has {} ", bad.length)) || has("twice") || has("1, 1, 1")));
  return has("node under test") && (has(bad.name) || has("overflow")) && value ? "" : "not named: " + text;
}

std::string complaint(const ops::DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row, const BadAttribute& bad) {
  try {
    const std::vector<dbk::HostTensor> inputs = ops::make_inputs(row, bad.test);
    ops::NodeGraph graph = ops::node_graph(row, bad.test, inputs);
    list.context().compile(graph.builder, {.device = device.index, .mode = DBK_COMPILE_PLAN_ONLY});
  } catch (const daybreak::Error& e) {
    return fault_of(e, bad);
  }
  return may_be_taken(row, bad) ? "" : "was accepted";
}

int check_row(const ops::DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row, int& tried) {
  int wrong = 0;
  const ops::Cases cases = ops::find_table(row.family)->cases(row);
  const dbk::Schema* schema = dbk::find_schema(row.domain, row.name, cases.front().opset);
  if (schema->internal) return 0;  // no caller can name it
  for (const BadAttribute& bad : ops::bad_attributes(row, cases.front())) {
    if (left_out(row, bad)) continue;
    ++tried;
    const std::string text = complaint(list, device, row, bad);
    if (!text.empty()) std::printf("  %s, %s = %s: %s\n", std::string(row.id).c_str(), bad.name.c_str(), bad.shown.c_str(), text.c_str()), ++wrong;
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const ops::DeviceList list(argc > 1 ? argv[1] : "cpu");
    if (const int code = list.exit_code_without_device()) return code;
    int wrong = 0, tried = 0;
    for (const daybreak::DeviceInfo& device : list.devices())
      for (const dbk::OpRow& row : dbk::all_ops()) wrong += check_row(list, device, row, tried);
    std::printf("%d attributes out of their domain, %d of them without a right refusal\n", tried, wrong);
    return wrong == 0 && tried > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "ops_refusals: %s\n", e.what());
    return EXIT_FAILURE;
  }
}
