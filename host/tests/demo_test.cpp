// The parts of the sentence demo: input, padding, the table, and batches through a small model on the CPU device.
#include <unistd.h>

#include <array>
#include <cmath>
#include <sstream>

#include "daybreak.hpp"
#include "demo/embedding_demo.h"
#include "demo/similarity.h"
#include "unity.h"  // last: it defines isnan and isinf

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace host;
using Texts = std::vector<std::string>;

std::string plugin_path;

WordPieceTokenizer tokenizer() {
  std::istringstream lines("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\nc");
  return WordPieceTokenizer(Vocabulary(lines));
}

// What read_sentences makes of a pipe with this content.
Sentences read_from_pipe(const std::string& content) {
  std::array<int, 2> ends;
  TEST_ASSERT_EQUAL_INT(0, pipe(ends.data()));
  TEST_ASSERT_EQUAL_INT64(static_cast<int64_t>(content.size()), write(ends[1], content.data(), content.size()));
  close(ends[1]);
  const Sentences result = read_sentences(ends[0]);
  close(ends[0]);
  return result;
}

void test_lines_are_sentences() {
  const Sentences read = read_from_pipe("one\n\n  \t\r\n two words \r\nlast without end");
  TEST_ASSERT_TRUE((Texts{"one", " two words ", "last without end"}) == read.texts);
  TEST_ASSERT_FALSE(read.built_in);
}

void test_built_in_sentences_otherwise() {
  TEST_ASSERT_TRUE(read_from_pipe("").built_in);
  TEST_ASSERT_TRUE(read_from_pipe("\n\n").built_in);
  TEST_ASSERT_TRUE(read_sentences(-1).built_in);
  std::array<int, 2> silent;
  TEST_ASSERT_EQUAL_INT(0, pipe(silent.data()));
  TEST_ASSERT_EQUAL_size_t(4, read_sentences(silent[0]).texts.size());
  close(silent[0]);
  close(silent[1]);
}

void test_too_many_sentences() {
  std::string lines;
  for (int i = 0; i < 2001; ++i) lines += "a\n";
  std::string message;
  try {
    read_from_pipe(lines);
  } catch (const std::exception& error) {
    message = error.what();
  }
  TEST_ASSERT_EQUAL_STRING("standard input has more than 2000 sentences", message.c_str());
}

void test_batches_are_padded() {
  const Texts sentences{"a b c", "b", ""};
  const SentenceBatch batch(tokenizer(), sentences, 4);
  const std::vector<int64_t> ids{2, 5, 6, 3, 2, 6, 3, 0, 2, 3, 0, 0}, mask{1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0};
  TEST_ASSERT_EQUAL_INT64(3, batch.rows);
  TEST_ASSERT_EQUAL_INT64(4, batch.columns);
  TEST_ASSERT_TRUE(ids == batch.ids && mask == batch.mask);
  TEST_ASSERT_TRUE(std::vector<int64_t>(12, 0) == batch.types);
}

void test_similarities() {
  const Embeddings embeddings{2, {1, 0, 0, 2, 3, 3, -5, 0}};
  const auto result = similarities(embeddings);
  TEST_ASSERT_EQUAL_DOUBLE(0, result[0][1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, std::sqrt(0.5), result[0][2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, std::sqrt(0.5), result[2][1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -1, result[3][0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, result[2][2]);
}

void test_table_of_few() {
  const std::string table = similarity_table({"first", "tab\there\x1b[31m"}, {{1, 0.25}, {0.25, 1}});
  TEST_ASSERT_EQUAL_STRING("  1.000  0.250    1 first\n  0.250  1.000    2 tab here [31m\n", table.c_str());
  const std::string cut = similarity_table({std::string(100, 'x')}, {{1}});
  TEST_ASSERT_EQUAL_STRING(("  1.000    1 " + std::string(44, 'x') + "...\n").c_str(), cut.c_str());
}

void test_table_of_many_names_the_nearest() {
  Texts sentences;
  std::vector<std::vector<double>> similarity(13, std::vector<double>(13, 0));
  for (int i = 0; i < 13; ++i) sentences.push_back("s" + std::to_string(i + 1));
  similarity[0][7] = 0.5;
  const std::string table = similarity_table(sentences, similarity);
  TEST_ASSERT_EQUAL_STRING("   1 s1\n  0.500    8 s8\n", table.substr(0, table.find("   2 s2")).c_str());
}

// sentence_embedding = the sum over real tokens of rows of a table, of which row i is {i, i * i}.
daybreak::Executable small_model(const daybreak::Context& ctx) {
  daybreak::GraphBuilder g(14);
  const auto batch = g.symbol("batch", 1, 16), sequence = g.symbol("sequence", 1, 256);
  const auto ids = g.input<int64_t>("input_ids", {batch, sequence});
  const auto mask = g.input<int64_t>("attention_mask", {batch, sequence});
  const auto types = g.input<int64_t>("token_type_ids", {batch, sequence});
  std::vector<float> rows;
  for (int i = 0; i < 8; ++i) rows.insert(rows.end(), {static_cast<float>(i), static_cast<float>(i * i)});
  const auto table = g.constant(std::span<const float>(rows), {8, 2});
  const auto words = g.node("Gather", {table, g.node("Add", {ids, types})});
  const auto weights = g.node("Reshape", {g.node("Cast", {mask}, {{"to", 1}}), g.constant<int64_t>({0, 0, 1})});
  const auto sum = g.node("ReduceSum", {g.node("Mul", {words, weights}), g.constant<int64_t>({1})}, {{"keepdims", 0}});
  g.output(sum, "sentence_embedding");
  daybreak::Compile how;
  how.options.set("device", "cpu");
  daybreak::Executable exec = ctx.compile(g, how);
  exec.ready();
  return exec;
}

void test_embeddings_over_several_batches() {
  const daybreak::Plugin plugin = daybreak::Plugin::load(plugin_path);
  const daybreak::Context ctx(plugin, {}, {.name = "demo test"});
  const daybreak::Executable exec = small_model(ctx);
  Texts sentences;
  for (int i = 0; i < 37; ++i) {
    std::string text;
    for (int word = 0; word < i % 11; ++word) text += word % 2 ? "b " : "a ";
    sentences.push_back(text);
  }
  SentenceEmbedder embedder(exec, tokenizer(), sentences);
  TEST_ASSERT_EQUAL_size_t(12, embedder.longest());
  for (int round = 0; round < 2; ++round) {
    const Embeddings got = embedder.embed();
    TEST_ASSERT_EQUAL_size_t(37, got.count());
    for (std::size_t i = 0; i < got.count(); ++i) {  // [CLS] is 2, [SEP] 3, a 5, b 6
      const std::size_t as = (i % 11 + 1) / 2, bs = i % 11 / 2;
      TEST_ASSERT_EQUAL_FLOAT(static_cast<float>(2 + 3 + 5 * as + 6 * bs), got[i][0]);
      TEST_ASSERT_EQUAL_FLOAT(static_cast<float>(4 + 9 + 25 * as + 36 * bs), got[i][1]);
    }
  }
}

void test_built_in_sentences_are_judged() {
  const daybreak::Plugin plugin = daybreak::Plugin::load(plugin_path);
  const daybreak::Context ctx(plugin, {}, {.name = "demo test"});
  const daybreak::Executable exec = small_model(ctx);
  EmbeddingOutcome outcome = run_embedding_demo(exec, tokenizer(), {{"a", "b", "a a", "c"}, true}, 2, {});
  TEST_ASSERT_EQUAL_size_t(3, outcome.timing.run_seconds.size());
  TEST_ASSERT_FALSE(outcome.right());  // this model does not know what sentences mean
  outcome.similarity[0] = {1, 0.6946, 0.9429, 0.2569};
  TEST_ASSERT_TRUE(outcome.right());
  outcome.similarity[0][3] = NAN;
  TEST_ASSERT_FALSE(outcome.right());
  outcome.sentences.built_in = false;
  TEST_ASSERT_TRUE(outcome.right());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  plugin_path = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_lines_are_sentences);
  RUN_TEST(test_built_in_sentences_otherwise);
  RUN_TEST(test_too_many_sentences);
  RUN_TEST(test_batches_are_padded);
  RUN_TEST(test_similarities);
  RUN_TEST(test_table_of_few);
  RUN_TEST(test_table_of_many_names_the_nearest);
  RUN_TEST(test_embeddings_over_several_batches);
  RUN_TEST(test_built_in_sentences_are_judged);
  return UNITY_END();
}
