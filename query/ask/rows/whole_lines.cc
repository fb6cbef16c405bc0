#include "query/ask/rows/whole_lines.h"

#include <algorithm>

namespace recall {
namespace {

// Chunks end at the end of a line, except in very long lines, so a short read usually suffices.
constexpr uint64_t kFirstReach = 256;

// Returns: the start of the line that contains byte `at`.
Result<uint64_t> LineStart(const TextsAndFacts& texts, const DocRow& doc, uint64_t at) {
  for (uint64_t reach = kFirstReach; at > 0; reach *= 4) {
    const uint64_t from = at - std::min(at, reach);
    RECALL_ASSIGN(const std::string before, texts.ReadText(doc, from, at));
    const size_t newline = before.rfind('\n');
    if (newline != std::string::npos) return from + newline + 1;
    if (from == 0) break;
  }
  return 0;
}

// Returns: the end of the line that contains byte `at`, without its newline.
Result<uint64_t> LineEnd(const TextsAndFacts& texts, const DocRow& doc, uint64_t at) {
  const auto size = static_cast<uint64_t>(doc.size);
  for (uint64_t reach = kFirstReach;; reach *= 4) {
    const uint64_t to = std::min(size, at + reach);
    RECALL_ASSIGN(const std::string after, texts.ReadText(doc, at, to));
    const size_t newline = after.find('\n');
    if (newline != std::string::npos) return at + newline;
    if (to == size) return size;
  }
}

}  // namespace

std::string HashOfLines(std::string_view lines) {
  if (lines.ends_with('\n')) lines.remove_suffix(1);
  return ToHex(Sha256(lines));
}

Result<std::string> HashWholeLines(const TextsAndFacts& texts, const DocRow& doc, uint64_t start,
                                   uint64_t end) {
  RECALL_ASSIGN(const uint64_t from, LineStart(texts, doc, start));
  RECALL_ASSIGN(const uint64_t to, LineEnd(texts, doc, end - 1));
  RECALL_ASSIGN(const std::string lines, texts.ReadText(doc, from, to));
  return ToHex(Sha256(lines));
}

std::optional<std::pair<uint64_t, uint64_t>> FindLines(std::string_view text, uint64_t first,
                                                       std::optional<uint64_t> last) {
  size_t start = 0;
  for (uint64_t line = 1; line < first; ++line) {
    const size_t newline = text.find('\n', start);
    if (newline == std::string_view::npos) return std::nullopt;
    start = newline + 1;
  }
  if (start >= text.size()) return std::nullopt;
  if (!last) return std::make_pair(start, text.size());
  size_t end = start;
  for (uint64_t line = first; line <= *last && end < text.size(); ++line) {
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  }
  return std::make_pair(start, end);
}

uint64_t CountLines(std::string_view text) {
  const bool open_end = !text.empty() && text.back() != '\n';
  return static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n')) + (open_end ? 1 : 0);
}

}  // namespace recall
