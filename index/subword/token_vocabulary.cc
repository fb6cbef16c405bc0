#include "index/subword/token_vocabulary.h"

#include "index/subword/rank_file.h"
#include "storage/base/bytes.h"
#include "storage/base/ids.h"
#include "storage/file_io/mapped_file.h"

namespace recall {
namespace {

constexpr const char* kHint =
    "specify a tokenizer.json, or a file with a line \"BASE64 RANK\" for each token";

// A JSON object begins with a brace, which base64 does not have.
bool IsJson(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{';
}

}  // namespace

Result<TokenVocabulary> TokenVocabulary::Read(const std::string& path) {
  const auto file = MappedFile::Open(path);
  if (!file) return Fail(file.error().WithHint(kHint));
  const std::string_view text = AsText((*file)->bytes());
  if (text.size() > kMostBytes) {
    return Fail(
        Status::LimitExceeded(path + " is larger than 64 MiB, the limit of a vocabulary", kHint));
  }
  const bool is_json = IsJson(text);
  auto tokenizer = is_json ? SubwordTokenizer::Parse(text) : SubwordTokenizer::ParseRanks(text);
  if (!tokenizer && tokenizer.error().code() == StatusCode::kUnsupported) {
    return Fail(tokenizer.error().WithContext(path));
  }
  if (!tokenizer) {
    return Fail(Status::InvalidArgument(
        path + " is not a vocabulary: " + std::string(tokenizer.error().message()), kHint));
  }
  std::string kind = "tokenizer.json";
  if (!is_json) {
    kind = "ranks/";
    kind += NameOf(RankPatternOf(tokenizer->vocabulary_size()));
  }
  std::string hash = ToHex(Sha256(text));
  RECALL_TRY((*file)->CheckUnchanged());
  return TokenVocabulary(*std::move(tokenizer), std::move(kind), std::move(hash));
}

}  // namespace recall
