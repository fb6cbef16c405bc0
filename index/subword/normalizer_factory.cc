#include "index/subword/normalizer_factory.h"

#include <utility>
#include <vector>

#include "index/base/text/utf8.h"
#include "index/subword/bert_normalizer.h"
#include "index/subword/byte_level.h"
#include "index/subword/charsmap_normalizer.h"
#include "index/subword/text_pattern.h"
#include "index/subword/unicode_normalizers.h"
#include "storage/base/base64.h"

namespace recall {
namespace {

using Normalizer = std::unique_ptr<TextNormalizer>;

constexpr int kMostNested = 16;
// The growth of a text is bounded; otherwise a file with a few steps that double it could fill the
// memory.
constexpr size_t kMostReplacement = 256;
constexpr size_t kMostGrowth = 16;
constexpr size_t kFreeGrowth = size_t{64} << 10;

void CutGrowth(size_t original, std::string* text) {
  const size_t most = kMostGrowth * original + kFreeGrowth;
  if (text->size() > most) text->resize(FloorToCharacter(*text, most));
}

Result<std::string> ReadReplacement(const Json& part, const char* key) {
  RECALL_ASSIGN(std::string text, ReadText(part, key, ""));
  if (text.size() > kMostReplacement) return Fail(BadTokenizerField(key));
  return text;
}

// Applies normalizers one after the other.
class NormalizerSequence final : public TextNormalizer {
 public:
  explicit NormalizerSequence(std::vector<Normalizer> parts) : parts_(std::move(parts)) {}

  void Append(std::string_view text, std::string* out) const override {
    if (parts_.empty()) return static_cast<void>(out->append(text));
    std::string now;
    std::string next;
    for (size_t i = 0; i + 1 < parts_.size(); ++i) {
      next.clear();
      parts_[i]->Append(i == 0 ? text : now, &next);
      now.swap(next);
      CutGrowth(text.size(), &now);
    }
    parts_.back()->Append(parts_.size() == 1 ? text : now, out);
  }

 private:
  std::vector<Normalizer> parts_;
};

class ReplaceNormalizer final : public TextNormalizer {
 public:
  ReplaceNormalizer(TextPattern pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}

  void Append(std::string_view text, std::string* out) const override {
    TextPattern::Matches matches;
    pattern_.FindAll(text, &matches);
    size_t copied = 0;
    for (const auto& [begin, end] : matches) {
      out->append(text.substr(copied, begin - copied)).append(content_);
      copied = end;
    }
    out->append(text.substr(copied));
  }

 private:
  TextPattern pattern_;
  std::string content_;
};

class ByteLevelNormalizer final : public TextNormalizer {
 public:
  void Append(std::string_view text, std::string* out) const override {
    AppendByteCharacters(text, out);
  }
};

Result<Normalizer> MakePart(const Json& part, int depth);

Result<Normalizer> MakeSequence(const Json& part, int depth) {
  const Json* list = FindField(part, "normalizers");
  if (list == nullptr || !list->is_array()) return Fail(BadTokenizerField("normalizers"));
  std::vector<Normalizer> parts;
  for (const Json& item : *list) {
    RECALL_ASSIGN(Normalizer made, MakePart(item, depth + 1));
    parts.push_back(std::move(made));
  }
  return std::make_unique<NormalizerSequence>(std::move(parts));
}

Result<Normalizer> MakeBert(const Json& part) {
  BertNormalization options;
  RECALL_ASSIGN(options.clean_text, ReadFlag(part, "clean_text", true));
  RECALL_ASSIGN(options.handle_chinese_chars, ReadFlag(part, "handle_chinese_chars", true));
  RECALL_ASSIGN(options.lowercase, ReadFlag(part, "lowercase", true));
  // Unset: the same as `lowercase`.
  RECALL_ASSIGN(options.strip_accents, ReadFlag(part, "strip_accents", options.lowercase));
  return std::make_unique<BertNormalizer>(options);
}

Result<Normalizer> MakeStrip(const Json& part) {
  RECALL_ASSIGN(const bool left, ReadFlag(part, "strip_left", true));
  RECALL_ASSIGN(const bool right, ReadFlag(part, "strip_right", true));
  return std::make_unique<StripNormalizer>(left, right);
}

Result<Normalizer> MakeReplace(const Json& part) {
  const Json* given = FindField(part, "pattern");
  if (given == nullptr) return Fail(BadTokenizerField("pattern"));
  RECALL_ASSIGN(TextPattern pattern, TextPattern::Make(*given));
  RECALL_ASSIGN(std::string content, ReadReplacement(part, "content"));
  return std::make_unique<ReplaceNormalizer>(std::move(pattern), std::move(content));
}

Result<Normalizer> MakePrecompiled(const Json& part) {
  RECALL_ASSIGN(const std::string encoded, ReadText(part, "precompiled_charsmap", ""));
  // Models that need no map have an empty one.
  if (encoded.empty()) return std::make_unique<NormalizerSequence>(std::vector<Normalizer>());
  const auto bytes = DecodeBase64(encoded);
  if (!bytes) return Fail(BadTokenizerField("precompiled_charsmap"));
  RECALL_ASSIGN(CharsmapNormalizer made, CharsmapNormalizer::Parse(*bytes));
  return std::make_unique<CharsmapNormalizer>(std::move(made));
}

Result<Normalizer> MakePart(const Json& part, int depth) {
  if (depth > kMostNested) return Fail(BadTokenizerField("normalizer: nested too deep"));
  RECALL_ASSIGN(const std::string kind, ReadKind(part, "normalizer"));
  if (kind == "Sequence") return MakeSequence(part, depth);
  if (kind == "BertNormalizer") return MakeBert(part);
  if (kind == "NFC") return std::make_unique<FormNormalizer>(UnicodeForm::kNfc);
  if (kind == "NFD") return std::make_unique<FormNormalizer>(UnicodeForm::kNfd);
  if (kind == "NFKC") return std::make_unique<FormNormalizer>(UnicodeForm::kNfkc);
  if (kind == "NFKD") return std::make_unique<FormNormalizer>(UnicodeForm::kNfkd);
  if (kind == "Lowercase") return std::make_unique<LowercaseNormalizer>();
  if (kind == "StripAccents") return std::make_unique<StripAccentsNormalizer>();
  if (kind == "Strip") return MakeStrip(part);
  if (kind == "Nmt") return std::make_unique<NmtNormalizer>();
  if (kind == "Replace") return MakeReplace(part);
  if (kind == "ByteLevel") return std::make_unique<ByteLevelNormalizer>();
  if (kind == "Precompiled") return MakePrecompiled(part);
  if (kind == "Prepend") {
    RECALL_ASSIGN(std::string prefix, ReadReplacement(part, "prepend"));
    return std::make_unique<PrependNormalizer>(std::move(prefix));
  }
  return Fail(UnknownTokenizerKind("normalizer", kind));
}

}  // namespace

Result<Normalizer> MakeTextNormalizer(const Json& part) { return MakePart(part, 0); }

}  // namespace recall
