#include "index/subword/bert_normalizer.h"

#include <utf8proc.h>

#include "index/base/text/utf8.h"
#include "index/subword/character_class.h"
#include "index/subword/unicode_normalizers.h"

namespace recall {
namespace {

bool IsLineOrTab(uint32_t c) { return c == '\t' || c == '\n' || c == '\r'; }

bool IsDropped(uint32_t c) { return c == 0 || c == 0xFFFD || (IsControl(c) && !IsLineOrTab(c)); }

}  // namespace

// Most text is ASCII, so the replacement of each ASCII character is precomputed.
BertNormalizer::BertNormalizer(const BertNormalization& options) : options_(options) {
  for (uint32_t c = 0; c < 128; ++c) {
    kept_[c] = !(options.clean_text && IsDropped(c));
    ascii_[c] = static_cast<char>(c);
    if (options.clean_text && IsLineOrTab(c)) ascii_[c] = ' ';
    if (options.lowercase && c >= 'A' && c <= 'Z') ascii_[c] = static_cast<char>(c + ('a' - 'A'));
  }
}

void BertNormalizer::Append(std::string_view text, std::string* out) const {
  for (size_t position = 0; position < text.size();) {
    const auto byte = static_cast<unsigned char>(text[position]);
    if (byte >= 0x80) {
      AppendCharacter(DecodeUtf8(text, &position), out);
      continue;
    }
    if (kept_[byte]) out->push_back(ascii_[byte]);
    ++position;
  }
}

// Requires: c >= 0x80.
void BertNormalizer::AppendCharacter(uint32_t c, std::string* out) const {
  if (options_.clean_text) {
    if (IsDropped(c)) return;
    if (IsWhiteSpace(c)) return out->push_back(' ');
  }
  const bool alone = options_.handle_chinese_chars && IsBertChinese(c);
  if (alone) out->push_back(' ');
  AppendStripped(c, out);
  if (alone) out->push_back(' ');
}

void BertNormalizer::AppendStripped(uint32_t c, std::string* out) const {
  constexpr size_t kMost = 8;  // no canonical decomposition is longer than 4
  utf8proc_int32_t parts[kMost] = {static_cast<utf8proc_int32_t>(c)};
  utf8proc_ssize_t count = 1;
  if (options_.strip_accents) {
    int boundary = 0;
    count = utf8proc_decompose_char(parts[0], parts, kMost, UTF8PROC_DECOMPOSE, &boundary);
  }
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const auto part = static_cast<uint32_t>(parts[i]);
    if (options_.strip_accents && IsNonspacingMark(part)) continue;
    if (options_.lowercase) {
      AppendLowercase(part, out);
    } else {
      AppendUtf8(part, out);
    }
  }
}

}  // namespace recall
