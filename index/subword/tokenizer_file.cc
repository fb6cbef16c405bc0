#include "index/subword/tokenizer_file.h"

#include <algorithm>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/subword/json_cursor.h"

namespace recall {
namespace {

// Estimates the number of tokens of the vocabulary that begins `text` by the number of quotes in
// its middle: the first tokens are shorter than most.
size_t GuessTokens(std::string_view text) {
  constexpr size_t kSample = size_t{16} << 10;
  const std::string_view sample = text.substr(text.size() / 2, kSample);
  if (sample.empty()) return 0;
  const auto quotes = static_cast<size_t>(std::ranges::count(sample, '"'));
  return quotes / 2 * text.size() / sample.size();
}

class FileReader final {
 public:
  explicit FileReader(std::string_view text) : text_(text), cursor_(text) {}

  Result<TokenizerFile> Read() {
    if (text_.starts_with(kByteOrderMark)) cursor_.set_position(kByteOrderMark.size());
    // The parts that are cut out are valid JSON, and null replaces them: the rest is valid JSON if
    // the whole file was.
    if (ReadRoot()) {
      rest_.append(text_.substr(copied_));
      file_.root = Json::parse(rest_, nullptr, /*allow_exceptions=*/false);
    }
    if (!file_.root.is_object()) return Fail(BadTokenizerField("file: it is not a JSON object"));
    return std::move(file_);
  }

 private:
  // Calls read(key) for each member of an object; it must consume the value.
  template <typename Fn>
  bool ReadMembers(Fn read) {
    if (!cursor_.Take('{')) return false;
    if (cursor_.Take('}')) return true;
    std::string scratch;
    do {
      std::string_view key;
      if (!cursor_.ReadString(&key, &scratch) || !cursor_.Take(':') || !read(key)) return false;
    } while (cursor_.Take(','));
    return cursor_.Take('}');
  }

  // Calls read() for each member of an array; it must consume the member.
  template <typename Fn>
  bool ReadItems(Fn read) {
    if (!cursor_.Take('[')) return false;
    if (cursor_.Take(']')) return true;
    do {
      if (!read()) return false;
    } while (cursor_.Take(','));
    return cursor_.Take(']');
  }

  bool ReadRoot() {
    return ReadMembers([this](std::string_view key) {
      if (key != "model") return cursor_.SkipValue();
      file_.tokens = ModelTokens();  // of two fields, the last one counts
      return cursor_.Peek() == '{' ? ReadModel() : cursor_.SkipValue();
    });
  }

  bool ReadModel() {
    return ReadMembers([this](std::string_view key) {
      if (key == "vocab") return ReadVocabulary();
      if (key == "merges") return ReadMerges();
      return cursor_.SkipValue();
    });
  }

  // Leaves the value from `begin` to the position out of the rest.
  void CutOut(size_t begin) {
    rest_.append(text_.substr(copied_, begin - copied_)).append("null");
    copied_ = cursor_.position();
  }

  // A value that cannot be read is skipped, and stays in the rest, where the JSON parser judges it.
  bool PassOver(size_t begin) {
    cursor_.set_position(begin);
    return cursor_.SkipValue();
  }

  bool ReadVocabulary() {
    ModelTokens& tokens = file_.tokens;
    tokens.vocabulary = SubwordVocabulary();
    tokens.scores.clear();
    tokens.fault.clear();
    tokens.shape = ModelTokens::Shape::kNone;
    const char first = cursor_.Peek();
    const size_t begin = cursor_.position();
    if (first != '{' && first != '[') return cursor_.SkipValue();
    // Reserve only once: a hostile file may repeat the field any number of times.
    const size_t left = text_.size() - begin;
    if (!reserved_) tokens.vocabulary.Reserve(GuessTokens(text_.substr(begin)), left / 2);
    reserved_ = true;
    const bool numbers = first == '{';
    tokens.shape = numbers ? ModelTokens::Shape::kNumbers : ModelTokens::Shape::kScores;
    if (numbers ? ReadNumbers() : ReadScores()) {
      CutOut(begin);
      return true;
    }
    tokens.fault = numbers ? "vocab: a token has no number" : "vocab: a token has no score";
    return PassOver(begin);
  }

  bool ReadNumbers() {
    return ReadMembers([this](std::string_view token) {
      uint32_t id = 0;
      if (!cursor_.ReadCount(&id)) return false;
      file_.tokens.vocabulary.Add(token, id);
      return true;
    });
  }

  bool ReadScores() {
    std::string scratch;
    return ReadItems([&] {
      std::string_view token;
      double score = 0;
      if (!cursor_.Take('[') || !cursor_.ReadString(&token, &scratch) || !cursor_.Take(',') ||
          !cursor_.ReadDouble(&score) || !cursor_.Take(']')) {
        return false;
      }
      ModelTokens& tokens = file_.tokens;
      tokens.vocabulary.Add(token, static_cast<uint32_t>(tokens.scores.size()));
      tokens.scores.push_back(score);
      return true;
    });
  }

  bool ReadMerges() {
    ModelTokens& tokens = file_.tokens;
    tokens.merges.clear();
    tokens.bad_merges = false;
    const char first = cursor_.Peek();
    const size_t begin = cursor_.position();
    tokens.has_merges = first == '[';
    if (!tokens.has_merges) return cursor_.SkipValue();
    if (ReadItems([this] { return ReadMerge(); })) {
      CutOut(begin);
      return true;
    }
    tokens.bad_merges = true;
    return PassOver(begin);
  }

  // "left right", or ["left", "right"].
  bool ReadMerge() {
    ModelTokens::Merge merge;
    if (cursor_.Take('[')) {
      if (!ReadKept(&merge.first) || !cursor_.Take(',') || !ReadKept(&merge.second) ||
          !cursor_.Take(']')) {
        return false;
      }
    } else {
      std::string_view both;
      if (!ReadKept(&both)) return false;
      const size_t space = both.find(' ');
      if (space == both.npos || both.find(' ', space + 1) != both.npos) return false;
      merge = {both.substr(0, space), both.substr(space + 1)};
    }
    file_.tokens.merges.push_back(merge);
    return true;
  }

  bool ReadKept(std::string_view* value) {
    std::string scratch;
    if (!cursor_.ReadString(value, &scratch)) return false;
    if (!scratch.empty()) *value = file_.tokens.written.emplace_back(std::move(scratch));
    return true;
  }

  std::string_view text_;
  JsonCursor cursor_;
  size_t copied_ = 0;  // end of the text that was copied to rest_ or cut out
  std::string rest_;
  bool reserved_ = false;
  TokenizerFile file_;
};

}  // namespace

Status ModelTokens::TakeVocabulary(Shape wanted, SubwordVocabulary* out) {
  if (shape != wanted) return BadTokenizerField("vocab");
  if (!fault.empty()) return BadTokenizerField(fault);
  *out = std::move(vocabulary);
  return Status::Ok();
}

Result<TokenizerFile> TokenizerFile::Parse(std::string_view text) {
  return FileReader(text).Read();
}

}  // namespace recall
