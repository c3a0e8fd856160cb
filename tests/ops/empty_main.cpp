// usage: ops_empty KIND - every op with operands of which an extent is 0 (emptied_cases.h), on the devices of that kind (device_list.h): what
//                         libonnx's rule accepts runs, with the types and shapes of that rule and the elements that the host op in double
//                         has; everything else is refused with a status that blames the caller. Where we differ is listed with the reason.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <format>
#include <span>

#include "tests/ops/case_check.h"
#include "tests/ops/case_tables.h"
#include "tests/ops/emptied_cases.h"
#include "tests/ops/onnx_rule.h"
#include "tests/ops/oracle.h"
#include "tests/ops/value_maker.h"

namespace {

using ops::OnnxRule;
using ops::OpCase;

struct Listed {
  std::string_view reason, ids;  // of rows
};
// Ops that refuse some extent of 0 though all operands agree on it.
constexpr Listed kRefusing[] = {
    {"an attribute, a list or the layout of an operand fixes the extent",
     " qlinear_matmul matmul_nbits gather_block_quantized dynamic_quantize_lstm attention daybreak_attention multi_head_attention "
     "group_query_attention packed_attention rotary_embedding microsoft_rotary_embedding rotary_heads split_matmul microsoft_fused_matmul affine_grid "
     "roi_align max_roi_pool col2im deform_conv dft stft lstm gru rnn gather_nd scatter_nd tensor_scatter reshape non_max_suppression "},
    {"a window has at least one element", " conv conv_transpose conv_integer qlinear_conv "},
    {"there is nothing to choose from, or to sample", " arg_max arg_min multinomial tree_ensemble resize grid_sample roi_align dft "},
    {"no index is in range", " gather gather_nd gather_elements gather_block_quantized array_feature_extractor roi_align max_roi_pool "
                             "rotary_embedding microsoft_rotary_embedding rotary_heads reverse_sequence "},
};

// Where libonnx infers another extent.
constexpr Listed kOtherwise[] = {
    {"of an empty axis no window makes a result; libonnx, which divides toward zero, counts one", " max_pool average_pool lp_pool stft "},
    {"libonnx leaves the cache out of the extents of scores", " attention "},
};

bool lists(std::span<const Listed> table, const dbk::OpRow& row) {
  const std::string word = std::format(" {} ", row.id);
  return std::ranges::any_of(table, [&](const Listed& listed) { return listed.ids.find(word) != std::string_view::npos; });
}

constexpr int64_t kLargest = 4096;  // elements of a case that is worth emptying

int64_t elements(const OpCase& test) {
  int64_t most = 0;
  for (const ops::Operand& operand : test.inputs) most = std::max(most, operand.shape.count());
  return most;
}

// The largest case of a usual size; null where every case is large, or empty already.
const OpCase* usual_case(const ops::Cases& cases) {
  const OpCase* found = nullptr;
  for (const OpCase& test : cases) {
    const bool whole = std::ranges::all_of(test.inputs, [](const ops::Operand& o) { return o.dtype == DBK_DTYPE_NONE || o.shape.count() > 0; });
    if (test.inputs.empty() || !whole || elements(test) > kLargest) continue;
    if (!found || elements(test) > elements(*found)) found = &test;
  }
  return found;
}

bool blames_caller(dbk_status status) {
  return status == DBK_INVALID_ARGUMENT || status == DBK_OUT_OF_RANGE || status == DBK_UNIMPLEMENTED;
}

// What is wrong with types, given the rule; empty where nothing is.
std::string disagreement(const OnnxRule& rule, const std::vector<dbk::TensorType>& types) {
  if (!rule.refusal.empty()) return "accepted; ONNX: " + rule.refusal;
  for (size_t i = 0; i < types.size(); ++i)
    if (types[i].dtype != DBK_DTYPE_NONE && !rule.outputs[i].allows(types[i]))
      return std::format("output {} is {}{}, ONNX has {}", i, dbk::to_string(types[i].dtype), dbk::to_string(types[i].shape), to_string(rule.outputs[i]));
  return {};
}

// A device that has nothing to compute does not look at indices, either.
bool host_refuses(const dbk::OpRow& row, const OpCase& test, const std::vector<dbk::HostTensor>& inputs) {
  try {
    ops::expect(row, test, inputs, ops::Kind::Cpu);
    return false;
  } catch (const dbk::Error&) {
    return true;
  }
}

std::string complaint(const ops::DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row, const ops::EmptiedCase& emptied) {
  const OpCase& test = emptied.test;
  const std::vector<dbk::HostTensor> inputs = ops::make_inputs(row, test);
  const std::optional<OnnxRule> rule = ops::onnx_rule(row, test, inputs);
  const ops::Outcome outcome = ops::check_case(list, device, row, test);
  if (outcome.refused != DBK_OK) {
    const bool rightly = !emptied.agrees || (rule && !rule->refusal.empty()) || lists(kRefusing, row);
    return rightly && blames_caller(outcome.refused) ? "" : outcome.problem;
  }
  if (!outcome.problem.empty()) return lists(kRefusing, row) && host_refuses(row, test, inputs) ? "" : outcome.problem;
  return rule && !lists(kOtherwise, row) ? disagreement(*rule, outcome.types) : "";
}

int check_row(const ops::DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row, int& tried) {
  int wrong = 0;
  const ops::Cases cases = ops::find_table(row.family)->cases(row);
  const OpCase* usual = usual_case(cases);
  if (!usual) return 0;
  for (const ops::EmptiedCase& emptied : ops::emptied_cases(row, *usual)) {
    ++tried;
    const std::string text = complaint(list, device, row, emptied);
    if (text.empty()) continue;
    std::printf("  %s [%s]: %s\n", std::string(row.id).c_str(), emptied.test.name.c_str(), text.c_str()), ++wrong;
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what was found before a crash is worth seeing
    const ops::DeviceList list(argc > 1 ? argv[1] : "cpu");
    if (const int code = list.exit_code_without_device()) return code;
    int wrong = 0, tried = 0;
    for (const daybreak::DeviceInfo& device : list.devices())
      for (const dbk::OpRow& row : dbk::all_ops()) wrong += check_row(list, device, row, tried);
    std::printf("%d nodes with empty operands, %d of them wrong\n", tried, wrong);
    return wrong == 0 && tried > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "ops_empty: %s\n", e.what());
    return EXIT_FAILURE;
  }
}
