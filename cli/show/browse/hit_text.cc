#include "cli/show/browse/hit_text.h"

#include <algorithm>
#include <utility>

#include "cli/show/browse/source_paint.h"

namespace recall {
namespace {

// Of a document, so much before and after the chunk can be looked at.
constexpr size_t kContextBytes = 32'768;
constexpr size_t kMostChunkBytes = 65'536;

constexpr size_t kMostScannedBytes = 1 << 20;

// Paints a part of a document of source code. What is before it is read, too, if it is known and
// not long, since the part may begin within a comment.
void PaintCode(const std::string& path, const std::string* document, MarkedText* part) {
  const size_t start = part->start_byte;
  const size_t end = start + part->text.size();
  const bool whole = document != nullptr && end <= document->size() && start <= kMostScannedBytes;
  if (!whole) {
    part->paints = PaintSource(part->text, path);
    return;
  }
  for (PaintedRange range : PaintSource(std::string_view(*document).substr(0, end), path)) {
    if (range.end <= start) continue;
    range.begin = std::max(range.begin, start) - start;
    range.end -= start;
    part->paints.push_back(range);
  }
}

}  // namespace

MarkedText TextAround(const SearchHit& hit, const std::string* document,
                      std::optional<uint64_t> from) {
  const ChunkView& chunk = hit.chunk;
  MarkedText marked{std::string_view(chunk.text).substr(0, kMostChunkBytes), chunk.start_line,
                    chunk.start_byte};
  if (document != nullptr && from.value_or(chunk.end_byte) <= document->size()) {
    const std::string_view whole = *document;
    const uint64_t start = from.value_or(chunk.start_byte);
    // Whole lines, or all of a long one that there is.
    size_t begin = start > kContextBytes ? start - kContextBytes : 0;
    if (begin > 0) begin = std::min<size_t>(whole.find('\n', begin) + 1, start);
    if (begin == 0 && start > kContextBytes) begin = start;
    const std::string_view before = whole.substr(begin, start - begin);
    marked.first_line -= static_cast<uint32_t>(std::ranges::count(before, '\n'));
    const size_t end = start + (from ? 0 : marked.text.size()) + kContextBytes;
    marked.text = whole.substr(begin, end - begin);
    marked.start_byte = begin;
  }
  if (hit.doc.parser == "code") PaintCode(hit.doc.path, document, &marked);
  if (!hit.snippet) return marked;
  const uint64_t end_byte = marked.start_byte + marked.text.size();
  for (const ByteRange& range : hit.snippet->highlights) {
    const uint64_t start = hit.snippet->start_byte + range.start;
    const uint64_t end = hit.snippet->start_byte + range.end;
    if (start < marked.start_byte || end > end_byte) continue;
    marked.marks.push_back({start - marked.start_byte, end - marked.start_byte});
  }
  return marked;
}

uint32_t BestLine(const SearchHit& hit) {
  constexpr size_t kUnbroken = SIZE_MAX / 2;
  return RowsOfText(TextAround(hit, nullptr, std::nullopt), hit.chunk, kUnbroken).best_line;
}

TextRows RowsAroundLines(const std::string& document, const std::string& path, uint32_t first_line,
                         uint32_t last_line, size_t columns) {
  SearchHit lines;
  lines.doc.path = path;
  lines.doc.parser = "code";
  lines.chunk.start_line = first_line;
  lines.chunk.end_line = last_line;
  size_t at = 0;
  for (uint32_t line = 1; line < first_line && at < document.size(); ++line) {
    at = std::min(document.find('\n', at), document.size() - 1) + 1;
  }
  lines.chunk.start_byte = at;
  for (uint32_t line = first_line; line <= last_line && at < document.size(); ++line) {
    at = std::min(document.find('\n', at), document.size() - 1) + 1;
  }
  lines.chunk.end_byte = at;
  lines.chunk.text = document.substr(lines.chunk.start_byte, at - lines.chunk.start_byte);
  return RowsOfText(TextAround(lines, &document, std::nullopt), lines.chunk, columns);
}

size_t AppendGlyphs(ScreenRow& row, std::span<const Glyph> glyphs) {
  size_t marked = 0;
  for (const Glyph& glyph : glyphs) {
    Append(row, glyph.text, glyph.paint);
    marked += glyph.paint == Paint::kMatch ? 1 : 0;
  }
  return marked;
}

TextRows RowsOfText(const MarkedText& marked, const ChunkView& chunk, size_t columns) {
  TextRows out;
  out.best_line = chunk.start_line;
  size_t most_marked = 0;
  const size_t lines = static_cast<size_t>(std::ranges::count(marked.text, '\n'));
  const size_t digits = std::to_string(marked.first_line + lines).size();
  const size_t gutter = columns > digits + 20 ? digits + 1 : 0;
  uint32_t line = marked.first_line;
  for (size_t begin = 0; begin < marked.text.size(); ++line) {
    const size_t newline = std::min(marked.text.find('\n', begin), marked.text.size());
    const size_t end = newline > begin && marked.text[newline - 1] == '\r' ? newline - 1 : newline;
    const std::vector<Glyph> glyphs =
        GlyphsOf(marked.text, marked.marks, begin, end, marked.paints);
    const bool in_chunk = line >= chunk.start_line && line <= chunk.end_line;
    if (line == chunk.start_line) out.best = out.rows.size();
    bool first = true;
    for (const std::span<const Glyph> shown : WrapGlyphs(glyphs, columns - gutter)) {
      ScreenRow row;
      if (gutter > 0) {
        const std::string number = std::exchange(first, false) ? std::to_string(line) : "";
        Append(row, std::string(digits - number.size(), ' ') + number + " ",
               in_chunk ? Paint::kScore : Paint::kDim);
      }
      const size_t marked_glyphs = AppendGlyphs(row, shown);
      if (marked_glyphs > most_marked) {
        most_marked = marked_glyphs;
        out.best = out.rows.size();
        out.best_line = line;
      }
      out.rows.push_back(std::move(row));
    }
    begin = newline + 1;
  }
  return out;
}

}  // namespace recall
