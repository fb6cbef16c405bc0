#include "index/subword/tokenizer_file.h"

#include <optional>
#include <utility>

#include "index/base/json/exact_json.h"
#include "index/base/json/json_tape.h"
#include "index/base/text/utf8.h"

namespace recall {
namespace {

// The two elements of an array of two; nothing for other values.
std::optional<std::pair<TapeValue, TapeValue>> PairOf(TapeValue value) {
  std::pair<TapeValue, TapeValue> pair;
  size_t elements = 0;
  value.ForEach([&](TapeValue element) {
    (elements == 0 ? pair.first : pair.second) = element;
    ++elements;
  });
  return elements == 2 ? std::optional(pair) : std::nullopt;
}

class FileReader final {
 public:
  explicit FileReader(std::string_view text) : text_(text) {}

  Result<TokenizerFile> Read() {
    const size_t mark = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    // The parts that are cut out are valid JSON, and null replaces them: the rest is valid JSON if
    // the whole file was.
    if (tape_.Parse(text_.substr(mark))) {
      tape_.root().ForEachMember([this](std::string_view name, TapeValue value) {
        if (ExactJsonText(name, &scratch_) == "model") ReadModel(value);
      });
      rest_.append(text_.substr(copied_));
      file_.root = Json::parse(rest_, nullptr, /*allow_exceptions=*/false);
    }
    if (!file_.root.is_object()) return Fail(BadTokenizerField("file: it is not a JSON object"));
    return std::move(file_);
  }

 private:
  void ReadModel(TapeValue model) {
    file_.tokens = ModelTokens();  // of two fields, the last one counts
    model.ForEachMember([this](std::string_view name, TapeValue value) {
      const auto key = ExactJsonText(name, &scratch_);
      if (key == "vocab") {
        ReadVocabulary(value);
      } else if (key == "merges") {
        ReadMerges(value);
      }
    });
  }

  // Leaves a value out of the rest. One that cannot be read stays there, where the JSON parser
  // judges it.
  void CutOut(TapeValue value) {
    const auto begin = static_cast<size_t>(value.Raw().data() - text_.data());
    rest_.append(text_.substr(copied_, begin - copied_)).append("null");
    copied_ = begin + value.Raw().size();
  }

  void ReadVocabulary(TapeValue value) {
    ModelTokens& tokens = file_.tokens;
    tokens.vocabulary = SubwordVocabulary();
    tokens.scores.clear();
    tokens.fault.clear();
    tokens.shape = value.IsObject()  ? ModelTokens::Shape::kNumbers
                   : value.IsArray() ? ModelTokens::Shape::kScores
                                     : ModelTokens::Shape::kNone;
    if (tokens.shape == ModelTokens::Shape::kNone) return;
    const bool numbers = value.IsObject();
    tokens.vocabulary.Reserve(value.CountWithin() / (numbers ? 2 : 3), value.Raw().size() / 2);
    if (numbers ? ReadNumbers(value) : ReadScores(value)) return CutOut(value);
    tokens.fault = numbers ? "vocab: a token has no number" : "vocab: a token has no score";
  }

  bool ReadNumbers(TapeValue vocabulary) {
    bool read = true;
    vocabulary.ForEachMember([&](std::string_view name, TapeValue number) {
      const auto token = ExactJsonText(name, &scratch_);
      const auto id = ExactJsonCount(number);
      read = read && token && id;
      if (read) file_.tokens.vocabulary.Add(*token, *id);
    });
    return read;
  }

  bool ReadScores(TapeValue vocabulary) {
    ModelTokens& tokens = file_.tokens;
    bool read = true;
    vocabulary.ForEach([&](TapeValue entry) {
      const auto pair = PairOf(entry);
      const auto score = pair ? ExactJsonNumber(pair->second) : std::nullopt;
      const auto token = score ? TextOf(pair->first) : std::nullopt;
      read = read && token;
      if (!read) return;
      tokens.vocabulary.Add(*token, static_cast<uint32_t>(tokens.scores.size()));
      tokens.scores.push_back(*score);
    });
    return read;
  }

  void ReadMerges(TapeValue value) {
    ModelTokens& tokens = file_.tokens;
    tokens.merges.clear();
    tokens.has_merges = value.IsArray();
    tokens.bad_merges = false;
    if (!tokens.has_merges) return;
    value.ForEach([&](TapeValue entry) {
      const auto merge = MergeOf(entry);
      tokens.bad_merges = tokens.bad_merges || !merge;
      if (!tokens.bad_merges) tokens.merges.push_back(*merge);
    });
    if (!tokens.bad_merges) CutOut(value);
  }

  // "left right", or ["left", "right"].
  std::optional<ModelTokens::Merge> MergeOf(TapeValue entry) {
    if (const auto pair = PairOf(entry)) {
      const auto left = KeptTextOf(pair->first);
      const auto right = KeptTextOf(pair->second);
      return left && right ? std::optional(ModelTokens::Merge(*left, *right)) : std::nullopt;
    }
    const auto both = KeptTextOf(entry);
    if (!both) return std::nullopt;
    const size_t space = both->find(' ');
    if (space == both->npos || both->find(' ', space + 1) != both->npos) return std::nullopt;
    return ModelTokens::Merge(both->substr(0, space), both->substr(space + 1));
  }

  // A string; valid until the next one is read.
  std::optional<std::string_view> TextOf(TapeValue value) {
    return value.IsString() ? ExactJsonText(value.Raw(), &scratch_) : std::nullopt;
  }

  // A string; valid as long as the file and its text.
  std::optional<std::string_view> KeptTextOf(TapeValue value) {
    auto text = TextOf(value);
    if (text && !scratch_.empty()) text = file_.tokens.written.emplace_back(std::move(scratch_));
    return text;
  }

  std::string_view text_;
  JsonTape tape_;
  std::string scratch_;
  size_t copied_ = 0;  // end of the text that was copied to rest_ or cut out
  std::string rest_;
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
