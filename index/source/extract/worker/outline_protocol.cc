#include "index/source/extract/worker/outline_protocol.h"

#include <algorithm>
#include <utility>

#include "index/source/code/outline_check.h"
#include "storage/base/byte_cursor.h"
#include "storage/base/leb128.h"

namespace recall {
namespace {

constexpr std::string_view kOutlineMagic = "RXO1";
// Added to the kind of a definition that extends a type.
constexpr uint8_t kExtendsBit = 0x80;

// Adds a difference to a position. Returns false if the sum is past the end of the text.
bool TakeOutlineBytes(ByteCursor* cursor, uint64_t text_bytes, uint64_t* position) {
  const uint64_t more = cursor->Number();
  if (cursor->broken() || more > text_bytes || *position > text_bytes - more) return false;
  *position += more;
  return true;
}

bool TakeDefinitions(ByteCursor* cursor, uint64_t text_bytes, CodeOutline* outline) {
  const uint64_t count = cursor->Number();
  if (cursor->broken() || count > MostOutlineEntries(text_bytes)) return false;
  uint64_t start = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Definition definition;
    if (!TakeOutlineBytes(cursor, text_bytes, &start)) return false;
    definition.start_byte = start;
    definition.code_byte = start;
    if (!TakeOutlineBytes(cursor, text_bytes, &definition.code_byte)) return false;
    definition.end_byte = definition.code_byte;
    if (!TakeOutlineBytes(cursor, text_bytes, &definition.end_byte)) return false;
    const uint8_t kind_byte = cursor->Byte();
    const uint8_t kind = kind_byte & ~kExtendsBit;
    const uint64_t parent = cursor->Number();
    if (kind > static_cast<uint8_t>(SymbolKind::kVariable) || parent > i) return false;
    definition.kind = static_cast<SymbolKind>(kind);
    definition.extends = (kind_byte & kExtendsBit) != 0;
    definition.parent = static_cast<int32_t>(parent) - 1;
    definition.name = std::string(cursor->Text(cursor->Number()));
    if (cursor->broken()) return false;
    outline->definitions.push_back(std::move(definition));
  }
  return true;
}

bool TakeCuts(ByteCursor* cursor, uint64_t text_bytes, CodeOutline* outline) {
  const uint64_t count = cursor->Number();
  if (cursor->broken() || count > MostOutlineEntries(text_bytes)) return false;
  uint64_t byte = 0;
  for (uint64_t i = 0; i < count; ++i) {
    if (!TakeOutlineBytes(cursor, text_bytes, &byte)) return false;
    const uint64_t depth = cursor->Number();
    if (cursor->broken() || depth > UINT32_MAX) return false;
    outline->cuts.push_back({byte, static_cast<uint32_t>(depth)});
  }
  return true;
}

}  // namespace

std::array<char, kRequestBytes> EncodeOutlineRequest(std::string_view grammar) {
  std::array<char, kRequestBytes> bytes{};
  std::copy(kOutlineMagic.begin(), kOutlineMagic.end(), bytes.begin());
  grammar = grammar.substr(0, bytes.size() - kOutlineMagic.size());
  std::copy(grammar.begin(), grammar.end(), bytes.begin() + kOutlineMagic.size());
  return bytes;
}

std::optional<std::string> DecodeOutlineRequest(std::string_view bytes) {
  if (bytes.size() != kRequestBytes || !bytes.starts_with(kOutlineMagic)) return std::nullopt;
  bytes.remove_prefix(kOutlineMagic.size());
  return std::string(bytes.substr(0, std::min(bytes.find('\0'), bytes.size())));
}

std::string EncodeOutlineAnswer(const OutlineAnswer& answer) {
  std::string bytes;
  bytes.push_back(static_cast<char>(answer.outcome));
  AppendLeb128(static_cast<uint64_t>(answer.peak_kib), &bytes);
  if (answer.outcome != OutlineOutcome::kOutline) return bytes;
  AppendLeb128(answer.outline.definitions.size(), &bytes);
  uint64_t start = 0;
  for (const Definition& definition : answer.outline.definitions) {
    AppendLeb128(definition.start_byte - start, &bytes);
    AppendLeb128(definition.code_byte - definition.start_byte, &bytes);
    AppendLeb128(definition.end_byte - definition.code_byte, &bytes);
    const auto kind = static_cast<uint8_t>(definition.kind);
    bytes.push_back(static_cast<char>(definition.extends ? kind | kExtendsBit : kind));
    AppendLeb128(static_cast<uint64_t>(definition.parent + 1), &bytes);
    AppendSizedText(definition.name, &bytes);
    start = definition.start_byte;
  }
  AppendLeb128(answer.outline.cuts.size(), &bytes);
  uint64_t byte = 0;
  for (const CodeCut& cut : answer.outline.cuts) {
    AppendLeb128(cut.byte - byte, &bytes);
    AppendLeb128(cut.depth, &bytes);
    byte = cut.byte;
  }
  return bytes;
}

std::optional<OutlineAnswer> DecodeOutlineAnswer(std::string_view bytes, std::string_view grammar,
                                                 uint64_t text_bytes) {
  ByteCursor cursor(bytes);
  OutlineAnswer answer;
  const uint8_t outcome = cursor.Byte();
  if (outcome > static_cast<uint8_t>(OutlineOutcome::kNoLibrary)) return std::nullopt;
  answer.outcome = static_cast<OutlineOutcome>(outcome);
  answer.peak_kib = static_cast<int64_t>(std::min<uint64_t>(cursor.Number(), INT64_MAX));
  if (answer.outcome == OutlineOutcome::kOutline) {
    answer.outline.grammar = std::string(grammar);
    if (!TakeDefinitions(&cursor, text_bytes, &answer.outline) ||
        !TakeCuts(&cursor, text_bytes, &answer.outline) ||
        !IsSoundOutline(answer.outline, text_bytes)) {
      return std::nullopt;
    }
  }
  return cursor.finished() ? std::optional(std::move(answer)) : std::nullopt;
}

uint64_t MostOutlineAnswerBytes(uint64_t text_bytes) {
  // A definition has a name and five numbers of at most five bytes; a cut has two numbers.
  constexpr uint64_t kMostEntryBytes = kMostSymbolName + 2 + 5 * 5 + 2 * 5;
  return MostOutlineEntries(text_bytes) * kMostEntryBytes + 64;
}

}  // namespace recall
