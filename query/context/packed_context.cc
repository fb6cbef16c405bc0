#include "query/context/packed_context.h"

#include <algorithm>
#include <utility>

#include "index/text/utf8.h"

namespace recall {
namespace {

// Names may hold anything; a citation stays on its line.
std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      line += c == '\n' ? "\\n" : "?";
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace

void PackedContext::Add(ContextPiece piece, uint32_t best_row, const std::string& citation) {
  if (!text.empty()) text += "\n\n";
  if (!citation.empty()) text += citation + "\n";
  text += piece.chunk.text;
  pieces.push_back(std::move(piece));
  best_rows.push_back(best_row);
}

std::string CitationOf(std::string_view path, uint32_t first_line, uint32_t last_line,
                       std::string_view heading) {
  std::string citation = "[" + OneLine(path) + ":" + std::to_string(first_line) + "-" +
                         std::to_string(last_line) + "]";
  if (!heading.empty()) citation += " " + OneLine(heading);
  return citation;
}

uint32_t EndLine(uint32_t start_line, std::string_view text) {
  // A newline at the very end belongs to the line it ends.
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return start_line + static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

size_t PrefixOfTokens(std::string_view text, int64_t count) {
  size_t position = 0;
  bool in_token = false;
  int64_t tokens = 0;
  while (position < text.size()) {
    const size_t begin = position;
    const bool space = IsWhiteSpace(DecodeUtf8(text, &position));
    if (in_token && space && tokens == count) return begin;
    if (!space && !in_token && ++tokens > count) return begin;
    in_token = !space;
  }
  return text.size();
}

}  // namespace recall
