// .npy files: what is written is read again, and files that lie are refused.
#include "tensors/npy.h"

#include <cstring>

#include "expect_error.h"
#include "model_text.h"

using host::Tensor;

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

std::string file_of(const std::string& dict, const std::string& elements, char version = 1) {
  std::string header = dict + "\n";
  std::string result = std::string("\x93NUMPY") + version + '\0';
  const auto length = static_cast<uint32_t>(header.size());
  result.append(reinterpret_cast<const char*>(&length), version == 1 ? 2 : 4);
  return result + header + elements;
}

std::string dict(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
}

Tensor read(const std::string& bytes, uint32_t expected = DBK_DTYPE_NONE) {
  const TempDir dir;
  return host::read_npy(dir.write("a.npy", bytes), expected);
}

void refuse(dbk_status status, const std::string& bytes, const std::string& text, uint32_t expected = DBK_DTYPE_NONE) {
  const TempDir dir;
  try {
    host::read_npy(dir.write("a.npy", bytes), expected);
  } catch (const daybreak::Error& error) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(status, error.status(), error.what());
    expect_in(error.message(), "a.npy': ");
    return expect_in(error.message(), text);
  }
  TEST_FAIL_MESSAGE(("not refused: " + text).c_str());
}

void test_round_trips() {
  const TempDir dir;
  for (const uint32_t dtype :
       {DBK_BOOL, DBK_I8,        DBK_I16,         DBK_I32,     DBK_I64,         DBK_U8,         DBK_U16,
        DBK_U32,  DBK_U64,       DBK_F16,         DBK_F32,     DBK_F64,         DBK_C64,        DBK_C128,
        DBK_BF16, DBK_F8_E4M3FN, DBK_F8_E4M3FNUZ, DBK_F8_E5M2, DBK_F8_E5M2FNUZ, DBK_F8_E8M0FNU, DBK_F4_E2M1FN,
        DBK_I4,   DBK_U4,        DBK_I2,          DBK_U2}) {
    for (const daybreak::Dims& dims : {daybreak::Dims{}, {5}, {2, 3}, {0, 4}, {1, 2, 1, 3}}) {
      Tensor tensor{dtype, dims, std::vector<std::byte>(daybreak::dense_bytes(dtype, dims)), {}};
      for (std::size_t i = 0; i < tensor.bytes.size(); ++i)
        tensor.bytes[i] = static_cast<std::byte>(dtype == DBK_BOOL ? i % 2 : i * 37 + 1);
      const auto used = static_cast<unsigned>(dims.product() * DBK_DTYPE_BITS(dtype) % 8);
      if (used > 0) tensor.bytes.back() &= static_cast<std::byte>((1u << used) - 1);  // bits behind the last element
      host::write_npy(dir.path() / "a.npy", tensor);
      const Tensor again = host::read_npy(dir.path() / "a.npy", dtype);
      TEST_ASSERT_EQUAL_HEX32(dtype, again.dtype);
      TEST_ASSERT_TRUE(again.dims == dims);
      TEST_ASSERT_TRUE_MESSAGE(again.bytes == tensor.bytes, daybreak::dtype_name(dtype).c_str());
    }
  }
}

void test_strings() {
  const TempDir dir;
  const Tensor tensor{DBK_STRING, {2}, {}, {"a", "longer"}};
  host::write_npy(dir.path() / "s.npy", tensor);
  TEST_ASSERT_TRUE(host::read_npy(dir.path() / "s.npy").strings == tensor.strings);
  const std::u32string wide = U"\u00e9\u20ac";
  const std::string bytes(reinterpret_cast<const char*>(wide.data()), 8);
  TEST_ASSERT_EQUAL_STRING("\xC3\xA9\xE2\x82\xAC", read(file_of(dict("<U2", "(1,)"), bytes)).strings[0].c_str());
  refuse(DBK_UNIMPLEMENTED, file_of(dict("<U1", "(1,)"), "\xFF\xFF\xFF\xFF"), "a character that is none");
}

void test_orders() {
  const std::string six("\1\2\3\4\5\6", 6);
  TEST_ASSERT_EQUAL_MEMORY("\1\3\5\2\4\6", read(file_of(dict("|u1", "(2, 3)", true), six)).bytes.data(), 6);
  TEST_ASSERT_EQUAL_MEMORY("\1\2\3\4\5\6", read(file_of(dict("|u1", "(2, 3)"), six)).bytes.data(), 6);
  TEST_ASSERT_EQUAL_MEMORY("\2\1\4\3", read(file_of(dict(">i2", "(2,)"), six.substr(0, 4))).bytes.data(), 4);
  TEST_ASSERT_EQUAL_MEMORY("\4\3\2\1\4\3\2\1", read(file_of(dict(">c8", "()"), "\1\2\3\4\1\2\3\4")).bytes.data(), 8);
}

void test_versions_and_spellings() {
  for (const char version : {1, 2, 3})
    TEST_ASSERT_EQUAL_size_t(2, read(file_of(dict("|u1", "(2,)"), "ab", version)).bytes.size());
  TEST_ASSERT_EQUAL_size_t(2,
                           read(file_of(R"({"shape":(2L,),"descr":"|u1","fortran_order":False})", "ab")).bytes.size());
  refuse(DBK_UNIMPLEMENTED, file_of(dict("|u1", "(2,)"), "ab", 4), "version 4");
}

void test_types_that_are_no_tensors() {
  refuse(DBK_UNIMPLEMENTED, file_of(dict("|O", "(1,)"), "x"), "objects");
  refuse(DBK_UNIMPLEMENTED, file_of(dict("<M8[ns]", "(1,)"), "12345678"), "unknown");
  refuse(DBK_UNIMPLEMENTED, file_of(dict("<f16", "(1,)"), std::string(16, 'x')), "astype");
  refuse(DBK_UNIMPLEMENTED, file_of(dict("|V2", "(1,)"), "xx"), "does not say");
  refuse(DBK_UNIMPLEMENTED, file_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "xxxx"),
         "structured");
  refuse(DBK_INVALID_ARGUMENT, file_of(dict("|i1", "(1,)"), "\x09"), "i4 cannot hold", DBK_I4);
}

void test_files_that_lie() {
  const std::string good = file_of(dict("<f4", "(2,)"), "12345678");
  for (std::size_t length = 0; length < good.size(); ++length) {
    const TempDir dir;
    bool refused = false;
    try {
      host::read_npy(dir.write("a.npy", good.substr(0, length)));
    } catch (const daybreak::Error&) {
      refused = true;
    }
    TEST_ASSERT_TRUE(refused);
  }
  refuse(DBK_INVALID_ARGUMENT, good + "9", "9 bytes of elements");
  refuse(DBK_INVALID_ARGUMENT, "PK\3\4 an archive", "no .npy file");
  refuse(DBK_OUT_OF_RANGE, file_of(dict("<f8", "(4611686018427387904, 4)"), ""), "overflows");
  refuse(DBK_DATA_LOSS, file_of(dict("<f8", "(72057594037927935,)"), ""), "ends after 0 bytes");
  refuse(DBK_INVALID_ARGUMENT, file_of(dict("<f8", "(-1,)"), ""), "extent");
  refuse(DBK_INVALID_ARGUMENT, file_of(dict("<f8", "(99999999999999999999,)"), ""), "extent");
  refuse(DBK_INVALID_ARGUMENT, file_of("{'descr': '<f4'}", ""), "not all there");
  refuse(DBK_INVALID_ARGUMENT, file_of("{'descr': '<f4", ""), "does not end");
  refuse(DBK_INVALID_ARGUMENT, file_of(dict("<f4", "(1,)") + "os.system()", "1234"), "follows");
  refuse(DBK_UNIMPLEMENTED, file_of(dict("<U0", "(72057594037927935,)"), ""), "without a size");
  refuse(DBK_OUT_OF_RANGE, std::string("\x93NUMPY\2\0\xFF\xFF\xFF\x7F", 12), "a header of");
  std::string axes = "(";
  for (int i = 0; i < 40; ++i) axes += "1, ";
  refuse(DBK_UNIMPLEMENTED, file_of(dict("|u1", axes + ")"), "1"), "axes");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_round_trips);
  RUN_TEST(test_strings);
  RUN_TEST(test_orders);
  RUN_TEST(test_versions_and_spellings);
  RUN_TEST(test_types_that_are_no_tensors);
  RUN_TEST(test_files_that_lie);
  return UNITY_END();
}
