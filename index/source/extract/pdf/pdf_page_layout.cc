#include "index/source/extract/pdf/pdf_page_layout.h"

#include <algorithm>
#include <cmath>

#include "index/base/text/utf8.h"
#include "index/source/extract/pdf/table_regions.h"

// Problem: pages of words with boxes, to be written as the paragraphs they were.
//
// Poppler has grouped the words to lines, the lines to blocks of one column, and has put the blocks
// in reading order. That order is kept, but for tables (table_regions.h). What it does not say is
// where lines of a block end on purpose: at the end of a paragraph, in code, lists, addresses. A
// typesetter moves a word to the next line only if it has no room for it, so a line that has room
// for the next line's first word has ended on purpose. This holds for justified, ragged and centred
// text of a block that has at least one full line.
//
// Cost: each line is looked at a constant number of times, after sorting.

namespace recall {
namespace {

constexpr size_t kMarginRows = 2;    // at each edge
constexpr float kMarginZone = 0.2f;  // of the page's height
// A gap between words that is wider than this many heights of letters parts cells.
constexpr float kWideGap = 1.5f;
// Blocks with fewer characters in a line, on average, are lists of words or numbers.
constexpr uint64_t kNarrowCharacters = 10;
// The number of blocks before and behind a block from which the width of its column is taken.
constexpr size_t kNeighbours = 3;
constexpr size_t kRights = 1024;

bool IsAsciiLetter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }
// Letters of other scripts count as letters. Symbols outside ASCII do, too, because bytes do not
// tell them apart.
bool IsLetterByte(char c) { return IsAsciiLetter(c) || static_cast<unsigned char>(c) >= 0x80; }

uint32_t CharactersOf(std::string_view text) {
  return static_cast<uint32_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

constexpr std::string_view kBullets[] = {"\u2022", "\u25E6", "\u25AA", "\u2023",
                                         "\u2219", "\u25CF", "\u25CB", "\u25A0",
                                         "\u25A1", "\u27A2", "\uF0B7", "\uF0A7"};

bool IsBullet(std::string_view word) {
  return std::ranges::find(kBullets, word) != std::end(kBullets);
}

// Whether a word numbers an item of a list: "12.", "(a)", "iv)".
bool IsEnumerator(std::string_view word) {
  if (word.starts_with('(')) word.remove_prefix(1);
  if (word.size() < 2 || word.size() > 5) return false;
  if (word.back() != '.' && word.back() != ')') return false;
  word.remove_suffix(1);
  if (word.size() == 1 && IsAsciiLetter(word[0])) return true;
  return std::ranges::all_of(word, IsAsciiDigit) ||
         word.find_first_not_of("ivx") == std::string_view::npos;
}

bool IsLeader(std::string_view word) {
  if (word.starts_with("\u00B7")) return word.size() == 2;
  return word.find_first_not_of('.') == word.npos;
}

// Whether two words are parts of one. Poppler begins a new word where the font changes, even
// without a gap. Letters that are smaller, or higher, are the number of a footnote or a formula:
// these stay words.
bool AreGlued(const PdfWord& word, const PdfWord& next, float height) {
  const float gap = next.box.x0 - word.box.x1;
  if (gap > 0.07f * height || gap < -0.3f * height) return false;
  const float sizes = (next.box.y1 - next.box.y0) - (word.box.y1 - word.box.y0);
  return std::fabs(sizes) < 0.15f * height && std::fabs(next.box.y1 - word.box.y1) < 0.12f * height;
}

bool EndsSentence(std::string_view text) {
  while (!text.empty() && (text.back() == ')' || text.back() == '"' || text.back() == '\'')) {
    text.remove_suffix(1);
  }
  return !text.empty() && std::string_view(".:;!?").find(text.back()) != std::string_view::npos;
}

bool EndsWithHyphen(std::string_view text) {
  for (const std::string_view hyphen : {"-", "\u2010", "\u00AD"}) {
    if (!text.ends_with(hyphen) || text.size() == hyphen.size()) continue;
    const char before = text[text.size() - hyphen.size() - 1];
    return IsLetterByte(before) || IsAsciiDigit(before);
  }
  return false;
}

// Returns the index of the word after a row of dots that begins with word w; w if no row of dots
// begins there.
uint32_t EndOfLeaders(const PdfPage& page, uint32_t w, uint32_t end) {
  uint32_t after = w;
  size_t dots = 0;
  while (after < end && IsLeader(page.TextOf(page.words[after]))) {
    dots += page.words[after++].size;
  }
  return dots >= 4 || after - w >= 3 ? after : w;
}

bool IsRotated(const PdfPage& page, const PdfLine& line) {
  const PdfWord& first = page.words[line.first_word];
  const PdfWord& last = page.words[line.end_word - 1];
  if (line.end_word - line.first_word == 1) {
    const float width = first.box.x1 - first.box.x0;
    return CharactersOf(page.TextOf(first)) >= 3 && first.box.y1 - first.box.y0 > 2 * width;
  }
  const float across = std::max(first.box.x1, last.box.x1) - std::min(first.box.x0, last.box.x0);
  const float down = std::max(first.box.y1, last.box.y1) - std::min(first.box.y0, last.box.y0);
  return down > 2 * across;
}

PdfLineShape ShapeOf(const PdfPage& page, const PdfLine& line) {
  PdfLineShape shape;
  shape.is_rotated = IsRotated(page, line);
  uint32_t best_rank = 0;
  for (uint32_t w = line.first_word; w < line.end_word; ++w) {
    const uint32_t after = EndOfLeaders(page, w, line.end_word);
    shape.has_leaders = shape.has_leaders || after > w;
    w = std::max(w, after == w ? w : after - 1);
  }
  for (uint32_t w = line.first_word; w < line.end_word; ++w) {
    const PdfWord& word = page.words[w];
    const uint32_t characters = CharactersOf(page.TextOf(word));
    shape.characters += characters;
    if (w == line.first_word) shape.box = word.box;
    shape.box.x0 = std::min(shape.box.x0, word.box.x0);
    shape.box.x1 = std::max(shape.box.x1, word.box.x1);
    const float height = shape.is_rotated ? word.box.x1 - word.box.x0 : word.box.y1 - word.box.y0;
    const uint32_t rank = std::min<uint32_t>(characters, 3);
    if (rank < best_rank || (rank == best_rank && height <= shape.letter_height)) continue;
    best_rank = rank;
    shape.letter_height = height;
    shape.box.y0 = word.box.y0;
    shape.box.y1 = word.box.y1;
  }
  shape.letter_height = std::max(shape.letter_height, 0.1f);
  return shape;
}

class PageLayout final {
 public:
  PageLayout(const PdfPage& page, PdfPageText* result) : page_(page), result_(result) {}

  void Run() {
    for (const PdfLine& line : page_.lines) shapes_.push_back(ShapeOf(page_, line));
    NoteRights();
    const auto rows = RowsOfLines(shapes_);
    FindMarginRows(rows);
    regions_ = FindTableRegions(shapes_, rows);
    region_of_.assign(shapes_.size(), -1);
    for (size_t r = 0; r < regions_.size(); ++r) {
      for (const PdfTableRow& row : regions_[r].rows) {
        for (const PdfTableCell& cell : row.cells) {
          for (const uint32_t line : cell.lines) region_of_[line] = static_cast<int32_t>(r);
        }
      }
    }
    region_written_.assign(regions_.size(), false);
    for (const PdfBlock& block : page_.blocks) AddBlock(block);
    EndPiece();
  }

 private:
  const PdfWord& FirstWord(uint32_t line) const {
    return page_.words[page_.lines[line].first_word];
  }

  void FindMarginRows(const std::vector<std::vector<uint32_t>>& rows) {
    margin_row_of_.assign(shapes_.size(), -1);
    const float height = page_.height;
    const size_t count = std::min(kMarginRows, rows.size());
    for (size_t i = 0; i < count; ++i) {
      const float distance = shapes_[rows[i][0]].Middle();
      if (distance >= kMarginZone * height) continue;
      AddMarginRow(rows[i], true, i == 0, distance);
      if (i + 1 < rows.size()) NoteGap(rows[i + 1]);
    }
    for (size_t i = 0; i < count; ++i) {
      const auto& row = rows[rows.size() - 1 - i];
      const float distance = height - shapes_[row[0]].Middle();
      if (margin_row_of_[row[0]] < 0 && distance < kMarginZone * height) {
        AddMarginRow(row, false, i == 0, distance);
        if (i + 1 < rows.size()) NoteGap(rows[rows.size() - 2 - i]);
      }
    }
  }

  // Records how far the row that was added last is from the next one.
  void NoteGap(const std::vector<uint32_t>& next) {
    PdfMarginRow& row = result_->margin_rows.back();
    const float middle = shapes_[next[0]].Middle();
    row.gap = (row.is_top ? middle : page_.height - middle) - row.distance;
  }

  void AddMarginRow(const std::vector<uint32_t>& row, bool is_top, bool is_outermost,
                    float distance) {
    PdfMarginRow margin;
    margin.is_top = is_top;
    margin.is_outermost = is_outermost;
    margin.distance = distance;
    float end = 0;
    for (const uint32_t line : row) {
      margin_row_of_[line] = static_cast<int8_t>(result_->margin_rows.size());
      const float height = shapes_[line].letter_height;
      margin.letter_height = std::max(margin.letter_height, height);
      for (uint32_t w = page_.lines[line].first_word; w < page_.lines[line].end_word; ++w) {
        const PdfWord& word = page_.words[w];
        if (!margin.text.empty()) {
          margin.text += word.box.x0 - end > kWideGap * height ? '\t' : ' ';
        }
        margin.text += page_.TextOf(word);
        end = word.box.x1;
      }
    }
    result_->margin_rows.push_back(std::move(margin));
  }

  // Records that the line is written next, to find out whether poppler's order was changed.
  void Write(uint32_t line) {
    if (line < last_written_) result_->order_changed = true;
    last_written_ = std::max(last_written_, line);
    result_->words += page_.lines[line].end_word - page_.lines[line].first_word;
  }

  // Appends the words of a line to the text, which may begin with some already.
  void AppendWords(uint32_t line, bool begins_line) {
    Write(line);
    std::string& out = result_->text;
    const PdfLine& words = page_.lines[line];
    const float height = shapes_[line].letter_height;
    bool tab = false;
    for (uint32_t w = words.first_word; w < words.end_word; ++w) {
      const PdfWord& word = page_.words[w];
      const std::string_view text = page_.TextOf(word);
      if (w > words.first_word) {
        const PdfWord& before = page_.words[w - 1];
        if (!shapes_[line].is_rotated && word.box.x0 - before.box.x1 > kWideGap * height)
          tab = true;
        if (const uint32_t end = EndOfLeaders(page_, w, words.end_word); end > w) {
          tab = true;
          w = end - 1;
          continue;
        }
        if (tab) {
          out += '\t';
          tab_in_line_ = true;
        } else if (!AreGlued(before, word, height)) {
          out += ' ';
        }
      } else if (begins_line && IsBullet(text)) {
        out += '-';
        continue;
      }
      tab = false;
      out += text;
    }
    tab_in_line_ = tab_in_line_ || tab;
    if (tab) out += '\t';  // dots that end the line: a number may follow in a line of its own
  }

  void BeginLine(uint32_t line) {
    PdfTextLine text_line;
    text_line.start = static_cast<uint32_t>(result_->text.size());
    text_line.margin_row = margin_row_of_[line];
    result_->lines.push_back(text_line);
  }

  // Must be called when the text of a line is complete.
  void EndLine() {
    PdfTextLine& line = result_->lines.back();
    std::string& text = result_->text;
    line.size = static_cast<uint32_t>(text.size()) - line.start;
  }

  std::string_view LastLine() const {
    return std::string_view(result_->text).substr(result_->lines.back().start);
  }

  void BeginPiece(uint32_t line) {
    EndPiece();
    PdfPiece piece;
    piece.first_line = static_cast<uint32_t>(result_->lines.size());
    piece.is_flow = !shapes_[line].is_rotated;
    result_->pieces.push_back(piece);
    open_ = true;
    weighted_height_ = 0;
  }

  void Count(uint32_t line) {
    result_->pieces.back().characters += shapes_[line].characters;
    weighted_height_ += static_cast<double>(shapes_[line].letter_height) * shapes_[line].characters;
  }

  void EndPiece() {
    if (!open_) return;
    open_ = false;
    PdfPiece& piece = result_->pieces.back();
    piece.end_line = static_cast<uint32_t>(result_->lines.size());
    piece.letter_height =
        static_cast<float>(weighted_height_ / std::max<uint32_t>(1, piece.characters));
  }

  void AddBlock(const PdfBlock& block) {
    float right = 0, left = 1e9f;
    uint64_t characters = 0;
    for (uint32_t l = block.first_line; l < block.end_line; ++l) {
      right = std::max(right, shapes_[l].box.x1);
      left = std::min(left, shapes_[l].box.x0);
      characters += shapes_[l].characters;
    }
    column_right_ = ColumnRight(block, left, right);
    is_narrow_ = characters < kNarrowCharacters * (block.end_line - block.first_line);
    bool first = true;
    for (uint32_t l = block.first_line; l < block.end_line; ++l) {
      if (region_of_[l] >= 0) {
        WriteRegion(static_cast<size_t>(region_of_[l]));
        first = true;
        continue;
      }
      if (first) {
        AddFirstLine(l);
      } else {
        AddNextLine(l, block, left, right);
      }
      first = false;
      last_line_ = l;
    }
    last_block_lines_ = block.end_line - block.first_line;
  }

  // Returns the right edge of the column around a block whose lines have different lengths. It is
  // the right edge of its neighbours in reading order, if they reach further and nothing stands
  // beside the block.
  float ColumnRight(const PdfBlock& block, float left, float right) const {
    uint32_t filled = 0, rows = 0;
    for (uint32_t l = block.first_line; l < block.end_line; ++l) {
      const PdfLineShape& shape = shapes_[l];
      if (l + 1 == block.end_line || !IsRightOf(l + 1, l)) ++rows;
      if (shape.box.x1 - left >= 0.85f * (right - left)) ++filled;
      if (std::max(RightAt(shape.Middle() - 2), RightAt(shape.Middle() + 2)) > right + 1)
        return right;
    }
    if (filled * 2 > rows + 1) return right;
    float column = right;
    const auto index = static_cast<size_t>(&block - page_.blocks.data());
    const size_t last = std::min(index + kNeighbours + 1, page_.blocks.size());
    for (size_t b = index - std::min(index, kNeighbours); b < last; ++b) {
      const uint32_t line = page_.blocks[b].first_line;
      const PdfBox& box = shapes_[line].box;
      const float height = shapes_[line].letter_height;
      const float here = shapes_[block.first_line].letter_height;
      if (!shapes_[line].is_rotated && height < 1.1f * here && here < 1.1f * height &&
          box.x0 <= left + height && box.x0 >= left - 4 * height) {
        column = std::max(column, box.x1);
      }
    }
    return column;
  }

  // Returns the right edge of the lines at this height.
  float RightAt(float y) const {
    const size_t index = RightIndex(y);
    return index < rights_.size() ? rights_[index] : 0;
  }

  static size_t RightIndex(float y) {
    return static_cast<size_t>(std::clamp(y / 4, 0.0f, static_cast<float>(kRights - 1)));
  }

  void NoteRights() {
    rights_.assign(kRights, 0);
    for (const PdfLineShape& shape : shapes_) {
      float& right = rights_[RightIndex(shape.Middle())];
      right = std::max(right, shape.box.x1);
    }
  }

  // Whether a line continues another one on the right of it.
  bool IsRightOf(uint32_t line, uint32_t left) const {
    const PdfLineShape& a = shapes_[left];
    const PdfLineShape& b = shapes_[line];
    return !a.is_rotated && !b.is_rotated && margin_row_of_[line] == margin_row_of_[left] &&
           std::fabs(b.Middle() - a.Middle()) < 0.3f * std::max(a.letter_height, b.letter_height) &&
           b.box.x0 >= a.box.x1;
  }

  // Adds the first line of a block. It may continue the block before, if that is one line on the
  // left of it.
  void AddFirstLine(uint32_t line) {
    const bool same_row = open_ && last_block_lines_ == 1 && IsRightOf(line, last_line_);
    if (!same_row) {
      BeginPiece(line);
      tab_in_line_ = false;
      BeginLine(line);
      AppendWords(line, true);
    } else {
      const float gap = shapes_[line].box.x0 - shapes_[last_line_].box.x1;
      const std::string_view before = LastLine();
      if (before == "-" || IsEnumerator(before) || gap <= kWideGap * shapes_[line].letter_height) {
        result_->text += ' ';
      } else if (!before.ends_with('\t')) {
        result_->text += '\t';
      }
      AppendWords(line, false);
    }
    Count(line);
    EndLine();
  }

  void AddNextLine(uint32_t line, const PdfBlock& block, float left, float right) {
    const PdfLineShape& before = shapes_[line - 1];
    const PdfLineShape& shape = shapes_[line];
    // Poppler cuts a line in two where justified text has wide gaps.
    if (IsRightOf(line, line - 1)) {
      if (line > row_end_) {
        for (row_end_ = line; row_end_ + 1 < block.end_line && IsRightOf(row_end_ + 1, row_end_);) {
          ++row_end_;
        }
      }
      const bool justified = shapes_[row_end_].box.x1 > right - 2;
      const bool wide = shape.box.x0 - before.box.x1 > 3 * shape.letter_height;
      result_->text += wide && !justified ? '\t' : ' ';
      AppendWords(line, false);
      Count(line);
      EndLine();
      return;
    }
    const bool other_size = shape.letter_height > 1.12f * before.letter_height ||
                            before.letter_height > 1.12f * shape.letter_height;
    const bool on_purpose = EndsOnPurpose(line, block, right);
    if (shape.is_rotated != before.is_rotated ||
        (on_purpose && other_size && shape.characters > 3 && before.characters > 3) ||
        BeginsParagraph(line, block, left)) {
      BeginPiece(line);
    } else {
      PdfTextLine& last = result_->lines.back();
      if (on_purpose) {
        last.end = PdfLineEnd::kNewLine;
      } else {
        last.end = EndsWithHyphen(LastLine()) ? PdfLineEnd::kHyphen : PdfLineEnd::kSpace;
      }
    }
    tab_in_line_ = false;
    BeginLine(line);
    AppendWords(line, result_->lines.size() == result_->pieces.back().first_line + 1 ||
                          result_->lines[result_->lines.size() - 2].end == PdfLineEnd::kNewLine);
    Count(line);
    EndLine();
  }

  // Whether a line is indented and follows the end of a sentence.
  bool BeginsParagraph(uint32_t line, const PdfBlock& block, float left) const {
    const PdfLineShape& shape = shapes_[line];
    const float indent = shape.box.x0 - left;
    if (indent < 0.5f * shape.letter_height || indent > 4 * shape.letter_height) return false;
    if (!EndsSentence(LastLine())) return false;
    const float tolerance = 0.2f * shape.letter_height;
    if (shapes_[line - 1].box.x0 > left + tolerance && line > block.first_line + 1) return false;
    return line + 1 == block.end_line || shapes_[line + 1].box.x0 <= left + tolerance;
  }

  // Whether the line before `line` ends on purpose.
  bool EndsOnPurpose(uint32_t line, const PdfBlock& block, float right) const {
    const PdfLineShape& before = shapes_[line - 1];
    const PdfLineShape& shape = shapes_[line];
    if (shape.is_rotated || is_narrow_) return true;
    if (tab_in_line_ || shape.has_leaders) return true;
    const PdfWord& word = FirstWord(line);
    const std::string_view text = page_.TextOf(word);
    if (IsBullet(text)) return true;
    const float room = right - before.box.x1;
    if (room > word.box.x1 - word.box.x0 + 0.4f * shape.letter_height) return true;
    // A line that fills little of its column ends on purpose, even if the other lines of the block
    // are as short.
    if (column_right_ - before.box.x1 > 0.4f * (column_right_ - shapes_[block.first_line].box.x0)) {
      return true;
    }
    if (!IsEnumerator(text)) return false;
    const bool hangs = line + 1 < block.end_line &&
                       shapes_[line + 1].box.x0 > shape.box.x0 + 0.5f * shape.letter_height;
    return hangs || EndsSentence(LastLine());
  }

  void WriteRegion(size_t index) {
    if (region_written_[index]) return;
    region_written_[index] = true;
    const PdfTableRegion& region = regions_[index];
    BeginPiece(region.rows.front().cells.front().lines.front());
    result_->pieces.back().is_flow = false;
    for (const PdfTableRow& row : region.rows) WriteRow(row);
    EndPiece();
    last_block_lines_ = 0;
  }

  void WriteRow(const PdfTableRow& row) {
    BeginLine(row.cells.front().lines.front());
    uint32_t column = 0;
    for (const PdfTableCell& cell : row.cells) {
      for (; column < cell.column; ++column) {
        if (!LastLine().ends_with('\t') || column > 0) result_->text += '\t';
      }
      bool first = true;
      for (const uint32_t line : cell.lines) {
        if (!first) result_->text += ' ';
        AppendWords(line, first && cell.column == 0);
        first = false;
        Count(line);
      }
      // Dots at the end of the cell are the gap to the next one.
      if (LastLine().ends_with('\t')) result_->text.pop_back();
    }
    EndLine();
  }

  const PdfPage& page_;
  PdfPageText* result_;
  std::vector<PdfLineShape> shapes_;
  std::vector<int8_t> margin_row_of_;  // of each line
  std::vector<PdfTableRegion> regions_;
  std::vector<int32_t> region_of_;  // of each line, or -1
  std::vector<bool> region_written_;
  bool open_ = false;  // the last piece is not complete
  double weighted_height_ = 0;
  bool tab_in_line_ = false;   // of the last text line
  std::vector<float> rights_;  // of each step of 4 points from above
  float column_right_ = 0;     // of the block
  bool is_narrow_ = false;     // the block
  uint32_t last_line_ = 0;
  uint32_t row_end_ = 0;  // the last line of the row that a part of a row was last written of
  uint32_t last_block_lines_ = 0;
  uint32_t last_written_ = 0;
};

}  // namespace

void LayOutPdfPage(const PdfPage& page, PdfPageText* result) {
  *result = {};
  PageLayout(page, result).Run();
}

}  // namespace recall
