#include "index/subword/splitter_factory.h"

#include <utility>

#include "index/base/text/utf8.h"
#include "index/subword/byte_level.h"
#include "index/subword/character_class.h"
#include "index/subword/metaspace_splitter.h"
#include "index/subword/word_splitters.h"

namespace recall {
namespace {

using Splitter = std::unique_ptr<PieceSplitter>;

// The number of steps is limited, because some steps lengthen the text.
constexpr int kMostParts = 12;

class SplitterSequence final : public PieceSplitter {
 public:
  explicit SplitterSequence(std::vector<Splitter> parts) : parts_(std::move(parts)) {}
  void Split(PieceList* list) const override {
    for (const Splitter& part : parts_) part->Split(list);
  }

 private:
  std::vector<Splitter> parts_;
};

Result<Splitter> MakePart(const Json& part, int* count);

Result<Splitter> MakeSequence(const Json& part, int* count) {
  const Json* list = FindField(part, "pretokenizers");
  if (list == nullptr || !list->is_array()) return Fail(BadTokenizerField("pretokenizers"));
  std::vector<Splitter> parts;
  for (const Json& item : *list) {
    RECALL_ASSIGN(Splitter made, MakePart(item, count));
    parts.push_back(std::move(made));
  }
  return std::make_unique<SplitterSequence>(std::move(parts));
}

Result<Splitter> MakeByteLevel(const Json& part) {
  RECALL_ASSIGN(const bool add_prefix_space, ReadFlag(part, "add_prefix_space", true));
  RECALL_ASSIGN(const bool use_regex, ReadFlag(part, "use_regex", true));
  return std::make_unique<ByteLevelSplitter>(add_prefix_space, use_regex);
}

Result<Splitter> MakePattern(const Json& part) {
  const Json* given = FindField(part, "pattern");
  if (given == nullptr) return Fail(BadTokenizerField("pattern"));
  RECALL_ASSIGN(TextPattern pattern, TextPattern::Make(*given));
  RECALL_ASSIGN(const SplitBehavior behavior, ReadSplitBehavior(part, SplitBehavior::kIsolated));
  RECALL_ASSIGN(const bool invert, ReadFlag(part, "invert", false));
  return std::make_unique<PatternSplitter>(std::move(pattern), behavior, invert);
}

Result<Splitter> MakeDelimiter(const Json& part) {
  RECALL_ASSIGN(const std::string delimiter, ReadText(part, "delimiter", ""));
  RECALL_ASSIGN(TextPattern pattern, TextPattern::Make(Json{{"String", delimiter}}));
  return std::make_unique<PatternSplitter>(std::move(pattern), SplitBehavior::kRemoved, false);
}

Result<Splitter> MakePart(const Json& part, int* count) {
  if (++*count > kMostParts) return Fail(BadTokenizerField("pre_tokenizer: too many parts"));
  RECALL_ASSIGN(const std::string kind, ReadKind(part, "pre_tokenizer"));
  if (kind == "Sequence") return MakeSequence(part, count);
  if (kind == "BertPreTokenizer") return std::make_unique<BertSplitter>();
  if (kind == "Whitespace") return std::make_unique<WordSplitter>();
  if (kind == "WhitespaceSplit") {
    return std::make_unique<ClassSplitter>(&IsWhiteSpace, SplitBehavior::kRemoved);
  }
  if (kind == "Punctuation") {
    RECALL_ASSIGN(const SplitBehavior behavior, ReadSplitBehavior(part, SplitBehavior::kIsolated));
    return std::make_unique<ClassSplitter>(&IsSubwordPunctuation, behavior);
  }
  if (kind == "Digits") {
    RECALL_ASSIGN(const bool each, ReadFlag(part, "individual_digits", false));
    return std::make_unique<ClassSplitter>(
        &IsNumeric, each ? SplitBehavior::kIsolated : SplitBehavior::kContiguous);
  }
  if (kind == "Metaspace") return MakeMetaspaceSplitter(part);
  if (kind == "ByteLevel") return MakeByteLevel(part);
  if (kind == "Split") return MakePattern(part);
  if (kind == "CharDelimiterSplit") return MakeDelimiter(part);
  return Fail(UnknownTokenizerKind("pre_tokenizer", kind));
}

}  // namespace

Result<Splitter> MakePieceSplitter(const Json& part) {
  int count = 0;
  return MakePart(part, &count);
}

}  // namespace recall
