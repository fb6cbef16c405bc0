#include "index/subword/token_vocabulary.h"

#include <fstream>

#include "storage/base/base64.h"
#include "storage/base/ids.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class TokenVocabularyTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(dir_ / name, std::ios::binary) << text;
    return dir_ / name;
  }

  static Status Refusal(const std::string& path) {
    const auto read = TokenVocabulary::Read(path);
    EXPECT_FALSE(read.has_value()) << path;
    if (read) return Status::Ok();
    EXPECT_NE(read.error().message().find(path), std::string::npos) << read.error().ToString();
    EXPECT_EQ(read.error().message().find('\n'), std::string::npos);
    return read.error();
  }

  TempDir dir_;
};

TEST_F(TokenVocabularyTest, SaysWhatItReadAndItsHash) {
  const std::string json =
      " \n{\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0,\"b\":1},\"unk_token\":\"a\"},"
      "\"pre_tokenizer\":{\"type\":\"WhitespaceSplit\"}}";
  ASSERT_OK_AND_ASSIGN(const auto words, TokenVocabulary::Read(Write("any.name", json)));
  EXPECT_EQ(words.kind(), "tokenizer.json");
  EXPECT_EQ(words.hash(), ToHex(Sha256(json)));

  std::string ranks;
  for (int byte = 0; byte < 256; ++byte) {
    const auto text = static_cast<uint8_t>(byte);
    AppendBase64(ByteSpan(&text, 1), &ranks);
    ranks += " " + std::to_string(byte) + "\n";
  }
  ASSERT_OK_AND_ASSIGN(const auto bytes, TokenVocabulary::Read(Write("bytes.json", ranks)));
  EXPECT_EQ(bytes.kind(), "ranks/gpt2");
  EXPECT_EQ(bytes.hash(), ToHex(Sha256(ranks)));
  EXPECT_EQ(bytes.tokenizer().vocabulary_size(), 256u);
}

TEST_F(TokenVocabularyTest, EachKindOfFailureHasItsCode) {
  EXPECT_EQ(Refusal(dir_ / "absent").code(), StatusCode::kNotFound);
  EXPECT_EQ(Refusal(dir_.path()).code(), StatusCode::kInvalidArgument);
  for (const std::string text : {"", "\n", "a book about tokens\n", "{", "{}", "[1, 2]",
                                 "{\"model\": 7}", "{\"model\": {\"type\": \"BPE\"}}"}) {
    EXPECT_EQ(Refusal(Write("none", text)).code(), StatusCode::kInvalidArgument) << text;
  }
  EXPECT_EQ(Refusal(Write("new", "{\"model\": {\"type\": \"Telepathy\"}}")).code(),
            StatusCode::kUnsupported);
  const std::string large = Write("large", "{}");
  std::filesystem::resize_file(large, TokenVocabulary::kMostBytes + 1);
  EXPECT_EQ(Refusal(large).code(), StatusCode::kLimitExceeded);
}

}  // namespace
}  // namespace recall
