// LSTM, GRU and RNN, which run on the host: all directions and layouts, sequences of different lengths, with and without
// each optional operand, every activation function, clipping, peepholes, coupled gates. Rows of the weights add up to less
// than 1, as drift.h assumes.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

struct Form {
  int64_t steps = 5, batch = 3, input = 4, hidden = 6;
  const char* direction = "forward";
  bool bias = true, lengths = false, states = false, peepholes = false;
  int64_t layout = 0;
  std::vector<std::string> activations{};
  std::vector<double> alpha{}, beta{};
  double clip = 0;
};

int64_t gates_of(const dbk::OpRow& row) { return row.id == "lstm" ? 4 : row.id == "gru" ? 3 : 1; }

OpCase recurrent(const char* name, const dbk::OpRow& row, DType dtype, const Form& f,
                 std::vector<dbk::Attribute> attributes = {}) {
  const int64_t directions = std::string_view(f.direction) == "bidirectional" ? 2 : 1, width = gates_of(row) * f.hidden;
  const bool lstm = row.id == "lstm";
  const double part = 0.9 / static_cast<double>(std::max<int64_t>(f.hidden, 1));
  const Shape state = f.layout != 0 ? Shape{f.batch, directions, f.hidden} : Shape{directions, f.batch, f.hidden};
  std::vector<int64_t> lengths;
  for (int64_t b = 0; b < f.batch; ++b) lengths.push_back((b * 3 + 2) % (f.steps + 1));
  std::vector<Operand> operands{
      tensor(dtype, f.layout != 0 ? Shape{f.batch, f.steps, f.input} : Shape{f.steps, f.batch, f.input}),
      tensor(dtype, {directions, width, f.input}), tensor(dtype, {directions, width, f.hidden}).within(-part, part),
      f.bias ? tensor(dtype, {directions, 2 * width}) : absent,
      f.lengths ? list(DBK_I32, {f.batch}, lengths) : absent, f.states ? tensor(dtype, state) : absent};
  if (lstm) operands.push_back(f.states ? tensor(dtype, state) : absent);
  if (lstm) operands.push_back(f.peepholes ? tensor(dtype, {directions, 3 * f.hidden}).within(-0.1, 0.1) : absent);
  attributes.push_back({"hidden_size", f.hidden});
  attributes.push_back({"direction", std::string(f.direction)});
  if (f.layout != 0) attributes.push_back({"layout", f.layout});
  if (!f.activations.empty()) attributes.push_back({"activations", f.activations});
  if (!f.alpha.empty()) attributes.push_back({"activation_alpha", f.alpha});
  if (!f.beta.empty()) attributes.push_back({"activation_beta", f.beta});
  if (f.clip != 0) attributes.push_back({"clip", f.clip});
  return OpCase(name + std::string(" ") + f.direction, operands, attributes)
      .wanting(lstm ? std::vector<bool>{true, true, true} : std::vector<bool>{true, true});
}

void add_functions(Cases& cases, const dbk::OpRow& row) {
  const size_t count = row.id == "lstm" ? 3 : row.id == "gru" ? 2 : 1;
  for (const char* function : {"Relu", "Tanh", "Sigmoid", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh",
                               "HardSigmoid", "Elu", "Softsign", "Softplus"}) {
    Form form;
    form.direction = "bidirectional";
    form.activations.assign(2 * count, function);
    cases.push_back(recurrent(function, row, DBK_F32, form));
    form.alpha.assign(2 * count, 0.25);
    form.beta.assign(2 * count, 0.5);
    cases.push_back(recurrent(function, row, DBK_F32, form));
  }
}

}  // namespace

Cases recurrent_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : dtypes_of(row, 0))
    for (const char* direction : {"forward", "reverse", "bidirectional"})
      for (int64_t layout : {0, 1}) {
        cases.push_back(recurrent("plain", row, dtype, {.direction = direction, .bias = false, .layout = layout}));
        cases.push_back(recurrent("all", row, dtype,
                                  {.direction = direction, .lengths = true, .states = true, .peepholes = true, .layout = layout}));
      }
  add_functions(cases, row);
  for (const Form& form : {Form{.steps = 1, .batch = 1, .input = 64, .hidden = 65}, Form{.steps = 1, .batch = 1, .input = 1, .hidden = 1},
                           Form{.steps = 9, .batch = 70, .input = 17, .hidden = 33}, Form{.steps = 0}, Form{.batch = 0},
                           Form{.clip = 0.25}})
    cases.push_back(recurrent("extents", row, DBK_F32, form));
  for (const std::vector<bool>& outputs : {std::vector{true}, std::vector{false, true}})
    cases.push_back(recurrent("outputs", row, DBK_F32, {}).wanting(outputs));
  if (row.id == "lstm") cases.push_back(recurrent("coupled", row, DBK_F32, {.peepholes = true}, {{"input_forget", int64_t{1}}}));
  if (row.id == "gru")
    for (bool bias : {false, true})
      cases.push_back(recurrent("linear", row, DBK_F32, {.bias = bias, .states = true}, {{"linear_before_reset", int64_t{1}}}));
  return cases;
}

}  // namespace ops
