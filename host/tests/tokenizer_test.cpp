// The tokeniser against the numbers of HuggingFace's tokenizers (tokenizer_golden.jsonl, with the vocabulary of
// minilm-f32), and what a golden file cannot hold: broken UTF-8, broken vocabularies, limits.
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "model_files.h"
#include "tokenizer/text_cleaning.h"
#include "tokenizer/wordpiece.h"
#include "unity.h"  // last: it defines isnan and isinf

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using host::Vocabulary;
using host::WordPieceTokenizer;
using Tokens = std::vector<int64_t>;

std::string golden_path;

// [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, [MASK] 4, then from 5 on the words given.
WordPieceTokenizer small_tokenizer(const std::string& words) {
  std::istringstream lines("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n" + words);
  return WordPieceTokenizer(Vocabulary(lines));
}

template <class Action>
void expect_failure(const std::string& part_of_message, Action action) {
  std::string message = "nothing was thrown";
  try {
    action();
  } catch (const std::exception& error) {
    message = error.what();
  }
  TEST_ASSERT_TRUE_MESSAGE(message.find(part_of_message) != std::string::npos, message.c_str());
}

void test_golden_file() {
  const WordPieceTokenizer tokenizer(Vocabulary::from_file(host::model_files("minilm-f32").at("minilm-f32.vocab.txt")));
  std::ifstream file(golden_path);
  std::string line;
  int count = 0;
  for (; std::getline(file, line); ++count) {
    const auto row = nlohmann::json::parse(line);
    const Tokens got = tokenizer.encode(row.at("text").get<std::string>());
    const std::string message =
        "line " + std::to_string(count + 1) + ": " + row.at("text").dump() + " gave " + nlohmann::json(got).dump();
    TEST_ASSERT_TRUE_MESSAGE(row.at("ids").get<Tokens>() == got, message.c_str());
  }
  TEST_ASSERT_GREATER_THAN_INT(300, count);
}

void test_longest_pieces_first() {
  const WordPieceTokenizer tokenizer = small_tokenizer("un\nunaff\n##aff\n##able\n##a\n##ff");
  TEST_ASSERT_TRUE((Tokens{2, 6, 8, 3}) == tokenizer.encode("Unaffable"));
  TEST_ASSERT_TRUE((Tokens{2, 5, 3}) == tokenizer.encode("un"));
  TEST_ASSERT_TRUE((Tokens{2, 1, 5, 3}) == tokenizer.encode("unaffablex un"));  // a part unknown: the whole is
}

void test_limit_keeps_the_end_mark() {
  const WordPieceTokenizer tokenizer = small_tokenizer("a");
  TEST_ASSERT_TRUE((Tokens{2, 5, 5, 3}) == tokenizer.encode("a a a a a a", 4));
  TEST_ASSERT_TRUE((Tokens{2, 3}) == tokenizer.encode("a", 2));
  TEST_ASSERT_TRUE((Tokens{2, 5, 4, 3}) == tokenizer.encode("a[MASK]a", 4));
  TEST_ASSERT_EQUAL_size_t(512, tokenizer.encode(std::string(100000, '!') + " a").size());
  expect_failure("[CLS] and [SEP]", [&] { tokenizer.encode("a", 1); });
}

void test_broken_utf8_is_left_out() {
  const WordPieceTokenizer tokenizer = small_tokenizer("ab");
  const Tokens want{2, 5, 3};
  for (const char* text : {"a\xFF"
                           "b",
                           "a\x80"
                           "b",
                           "a\xC3",
                           "a\xE2\x82"
                           "b",
                           "a\xC0\x80"
                           "b",
                           "a\xED\xA0\x80"
                           "b",
                           "a\xF4\x90\x80\x80"
                           "b"}) {
    const Tokens got = tokenizer.encode(text);
    TEST_ASSERT_TRUE(text[1] == '\xC3' ? got == (Tokens{2, 1, 3}) : got == want);
  }
  TEST_ASSERT_TRUE(want == tokenizer.encode(std::string_view("a\0b", 3)));
}

void test_broken_vocabularies() {
  expect_failure("line 3: the token 'a' occurs twice", [] {
    std::istringstream lines("a\nb\na\n");
    const Vocabulary vocabulary(lines);
  });
  expect_failure("no token '[PAD]'", [] {
    std::istringstream lines("[UNK]\n[CLS]\n[SEP]\n[MASK]\n");
    const WordPieceTokenizer tokenizer{Vocabulary(lines)};
  });
  expect_failure("/no/such/vocab.txt", [] { Vocabulary::from_file("/no/such/vocab.txt"); });
}

void test_unknown_models_are_refused() {
  expect_failure("cannot provide the model 'no-such-model'", [] { host::model_files("no-such-model"); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  golden_path = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_golden_file);
  RUN_TEST(test_longest_pieces_first);
  RUN_TEST(test_limit_keeps_the_end_mark);
  RUN_TEST(test_broken_utf8_is_left_out);
  RUN_TEST(test_broken_vocabularies);
  RUN_TEST(test_unknown_models_are_refused);
  return UNITY_END();
}
