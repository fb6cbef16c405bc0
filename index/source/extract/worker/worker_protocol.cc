#include "index/source/extract/worker/worker_protocol.h"

#include <algorithm>

#include "index/base/text/utf8.h"
#include "index/source/extract/types/locator_record.h"
#include "storage/base/byte_cursor.h"
#include "storage/base/coding.h"
#include "storage/base/leb128.h"

namespace recall {
namespace {

constexpr std::string_view kRequestMagic = "RXQ1";
constexpr uint8_t kAllHtml = 1;
constexpr uint8_t kDecrypt = 2;

constexpr uint64_t kMostFacts = 1000;          // of keys; of values of one key
constexpr uint64_t kMostFactBytes = 64 << 10;  // of one value
constexpr uint64_t kMostShortText = 1000;      // reasons, keys, warnings
constexpr uint64_t kMostNameBytes = 64 << 10;  // of a file
constexpr uint64_t kMostFactsBytes = 4 << 20;  // of all values

// Returns a text of the worker, cut to `most` bytes and repaired to UTF-8.
std::string ShortText(std::string_view text, size_t most) {
  std::string repaired;
  AppendRepairedUtf8(text.substr(0, FloorToWord(text, most)), &repaired);
  std::replace_if(
      repaired.begin(), repaired.end(),
      [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F; }, ' ');
  return repaired;
}

bool IsPlainText(std::string_view text) {
  return text.find('\0') == text.npos && IsValidUtf8(text);
}

bool TakeFacts(ByteCursor* cursor, Extraction* extraction) {
  const uint64_t keys = cursor->Number();
  if (keys > kMostFacts) return false;
  uint64_t total = 0;
  for (uint64_t i = 0; i < keys; ++i) {
    std::string key = ShortText(cursor->Text(cursor->Number()), kMostShortText);
    const uint64_t values = cursor->Number();
    if (cursor->broken() || values > kMostFacts || key.empty()) return false;
    std::vector<std::string>& list = extraction->meta[std::move(key)];
    for (uint64_t j = 0; j < values; ++j) {
      list.push_back(ShortText(cursor->Text(cursor->Number()), kMostFactBytes));
      total += list.back().size();
      if (cursor->broken() || total > kMostFactsBytes) return false;
    }
  }
  return true;
}

bool TakeWarnings(ByteCursor* cursor, Extraction* extraction) {
  const uint64_t warnings = cursor->Number();
  if (warnings > kMostFacts) return false;
  for (uint64_t i = 0; i < warnings; ++i) {
    extraction->warnings.push_back(ShortText(cursor->Text(cursor->Number()), kMostShortText));
    if (cursor->broken()) return false;
  }
  std::sort(extraction->warnings.begin(), extraction->warnings.end());
  return true;
}

bool TakeFiles(ByteCursor* cursor, const ExtractLimits& limits, Extraction* extraction) {
  const uint64_t files = cursor->Number();
  if (files > static_cast<uint64_t>(limits.max_files)) return false;
  for (uint64_t i = 0; i < files; ++i) {
    AttachedFile file;
    file.name = ShortText(cursor->Text(cursor->Number()), kMostNameBytes);
    file.bytes = std::string(cursor->Text(cursor->Number()));
    if (cursor->broken()) return false;
    extraction->files.push_back(std::move(file));
  }
  return true;
}

}  // namespace

std::array<char, kRequestBytes> EncodeExtractRequest(const ExtractRequest& request) {
  std::array<char, kRequestBytes> bytes{};
  std::copy(kRequestMagic.begin(), kRequestMagic.end(), bytes.begin());
  bytes[4] = static_cast<char>(request.format);
  bytes[5] =
      static_cast<char>((request.all_html ? kAllHtml : 0) | (request.decrypt ? kDecrypt : 0));
  const ExtractLimits& limits = request.limits;
  const uint64_t numbers[] = {
      limits.max_text_bytes,
      limits.max_unpacked_bytes,
      limits.max_unpacked_ratio,
      limits.free_unpacked_bytes,
      static_cast<uint64_t>(limits.max_members),
      static_cast<uint64_t>(limits.max_files),
      static_cast<uint64_t>(limits.max_nesting) << 32 | static_cast<uint64_t>(limits.max_depth)};
  uint8_t* to = reinterpret_cast<uint8_t*>(bytes.data()) + 8;
  for (const uint64_t number : numbers) {
    StoreLittle(to, number);
    to += sizeof(number);
  }
  return bytes;
}

std::optional<ExtractRequest> DecodeExtractRequest(std::string_view bytes) {
  if (bytes.size() != kRequestBytes || !bytes.starts_with(kRequestMagic)) return std::nullopt;
  ByteCursor cursor(bytes.substr(kRequestMagic.size()));
  ExtractRequest request;
  const uint8_t format = cursor.Byte();
  if (format > static_cast<uint8_t>(DocumentFormat::kNotebook)) return std::nullopt;
  request.format = static_cast<DocumentFormat>(format);
  const uint8_t options = cursor.Byte();
  request.all_html = (options & kAllHtml) != 0;
  request.decrypt = (options & kDecrypt) != 0;
  cursor.Fixed(2);
  ExtractLimits& limits = request.limits;
  limits.max_text_bytes = cursor.Fixed(8);
  limits.max_unpacked_bytes = cursor.Fixed(8);
  limits.max_unpacked_ratio = cursor.Fixed(8);
  limits.free_unpacked_bytes = cursor.Fixed(8);
  limits.max_members = static_cast<int64_t>(cursor.Fixed(8));
  limits.max_files = static_cast<int64_t>(cursor.Fixed(8));
  const uint64_t depths = cursor.Fixed(8);
  limits.max_nesting = static_cast<int>(depths >> 32 & 0x7FFFFFFF);
  limits.max_depth = static_cast<int>(depths & 0x7FFFFFFF);
  return cursor.finished() ? std::optional(request) : std::nullopt;
}

std::string EncodeExtractAnswer(const ExtractAnswer& answer) {
  const Extraction& extraction = answer.extraction;
  std::string bytes;
  bytes.push_back(static_cast<char>(extraction.outcome));
  AppendLeb128(static_cast<uint64_t>(answer.peak_kib), &bytes);
  AppendSizedText(extraction.reason, &bytes);
  AppendSizedText(extraction.text, &bytes);
  AppendSizedText(EncodeLocatorSpans(extraction.spans), &bytes);
  AppendLeb128(extraction.meta.size(), &bytes);
  for (const auto& [key, values] : extraction.meta) {
    AppendSizedText(key, &bytes);
    AppendLeb128(values.size(), &bytes);
    for (const std::string& value : values) AppendSizedText(value, &bytes);
  }
  AppendLeb128(extraction.warnings.size(), &bytes);
  for (const std::string& warning : extraction.warnings) AppendSizedText(warning, &bytes);
  AppendLeb128(extraction.files.size(), &bytes);
  for (const AttachedFile& file : extraction.files) {
    AppendSizedText(file.name, &bytes);
    AppendSizedText(file.bytes, &bytes);
  }
  return bytes;
}

std::optional<ExtractAnswer> DecodeExtractAnswer(std::string_view bytes,
                                                 const ExtractLimits& limits) {
  ByteCursor cursor(bytes);
  ExtractAnswer answer;
  Extraction& extraction = answer.extraction;
  const uint8_t outcome = cursor.Byte();
  // Only the program can find out that a worker has crashed, so such an answer is false.
  if (outcome > static_cast<uint8_t>(ExtractOutcome::kDamaged)) return std::nullopt;
  extraction.outcome = static_cast<ExtractOutcome>(outcome);
  answer.peak_kib = static_cast<int64_t>(std::min<uint64_t>(cursor.Number(), INT64_MAX));
  extraction.reason = ShortText(cursor.Text(cursor.Number()), kMostShortText);
  const std::string_view text = cursor.Text(cursor.Number());
  if (cursor.broken() || text.size() > limits.max_text_bytes || !IsPlainText(text)) {
    return std::nullopt;
  }
  extraction.text = std::string(text);
  auto spans = DecodeLocatorSpans(cursor.Text(cursor.Number()), text.size());
  if (!spans || cursor.broken()) return std::nullopt;
  extraction.spans = std::move(*spans);
  if (!TakeFacts(&cursor, &extraction) || !TakeWarnings(&cursor, &extraction) ||
      !TakeFiles(&cursor, limits, &extraction) || !cursor.finished()) {
    return std::nullopt;
  }
  if (extraction.outcome == ExtractOutcome::kText ? text.empty() : !text.empty()) {
    return std::nullopt;
  }
  return answer;
}

uint64_t MostAnswerBytes(const ExtractLimits& limits) {
  constexpr uint64_t kRest = 64 << 20;
  return limits.max_text_bytes * 3 + limits.max_unpacked_bytes + kRest;
}

}  // namespace recall
