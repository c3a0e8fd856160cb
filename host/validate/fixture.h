// What most tests need: the loaded plugin, a context that leaves GPUs alone, the golden graph and the means to ask a
// question of the C table and judge the answer.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "daybreak.hpp"
#include "test.h"

namespace host::validate {

// y = gelu(x W + b) with x f32[N, 3], parameters W f32[3, 2] and b f32[2]; N is a symbol from 1 to 64.
namespace golden {
daybreak::GraphBuilder graph();
extern const std::vector<float> weight, bias;
std::vector<float> input(int64_t rows);
std::vector<double> expected(const std::vector<float>& x);
void expect_right(const std::vector<float>& x, const std::vector<float>& y);  // throws Failed
}  // namespace golden

// A status with its text; made by ask().
struct Answer {
  dbk_status status = DBK_OK;
  std::string text;  // all causes
  std::vector<daybreak::Cause> causes;
};

// Calls with a dbk_error** and takes the error apart. Also checks what holds for every call: NULL on success, an error
// with a text on failure.
template <class Call>
Answer ask(const dbk_api& api, Call call) {
  dbk_error* error = reinterpret_cast<dbk_error*>(1);  // must be overwritten whatever happens
  Answer answer;
  answer.status = call(&error);
  expect(error != reinterpret_cast<dbk_error*>(1), "out_error was not written");
  expect((answer.status == DBK_OK) == (error == nullptr),
         "status " + daybreak::status_name(answer.status) + (error ? " with" : " without") + " an error");
  if (!error) return answer;
  try {
    daybreak::detail::throw_error(api, answer.status, error);
  } catch (const daybreak::Error& thrown) {
    answer.text = thrown.what();
    answer.causes = thrown.causes();
  }
  expect(!answer.causes.front().message.empty(), "the error has no text");
  return answer;
}

// The status is one of `wanted`, else Failed names `what`.
void expect_status(std::initializer_list<dbk_status> wanted, const Answer& answer, const std::string& what);
void expect_mentions(const Answer& answer, const std::string& word, const std::string& what);

// Limits of time and memory are for plugins as they are shipped.
inline bool instrumented(const daybreak::Plugin& plugin) { return plugin.info().sanitizer != DBK_SANITIZER_NONE; }

daybreak::Options cpu_only();  // context options: no GPU is touched
uint32_t cpu_device(const daybreak::Context& ctx);

struct Fixture {
  daybreak::Plugin plugin;
  const dbk_api& api;
  daybreak::Context ctx;

  explicit Fixture(const Target& target);

  daybreak::Executable compile() const;  // the golden graph on the CPU, parameters unset
  daybreak::Executable ready() const;    // and ready
  daybreak::Run bound(const daybreak::Executable& exec, const std::vector<float>& x) const;  // x copied
};

}  // namespace host::validate
