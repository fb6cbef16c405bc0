#include "index/source/extract/markdown/sheet_writer.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

constexpr size_t kBlockTextBytes = 256;
constexpr int64_t kMostRepeats = 64;
constexpr int64_t kWidestGap = 32;
// The most cells that one row may have. A longer row, which no program makes, becomes several.
constexpr size_t kMostPieces = 1 << 16;

std::string CellName(int64_t row, int64_t column) {
  return ColumnName(column) + std::to_string(row);
}

}  // namespace

std::string ColumnName(int64_t column) {
  std::string name;
  for (; column > 0; column = (column - 1) / 26) {
    name.insert(name.begin(), static_cast<char>('A' + (column - 1) % 26));
  }
  return name;
}

std::optional<CellPlace> ParseCellPlace(std::string_view name) {
  CellPlace place;
  size_t at = name.starts_with('$') ? 1 : 0;
  const size_t letters = at;
  for (; at < name.size(); ++at) {
    const char c = name[at];
    const int letter = c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' : -1;
    if (letter < 0) break;
    if (at - letters >= 5) return std::nullopt;
    place.column = place.column * 26 + letter + 1;
  }
  if (at == letters) return std::nullopt;
  if (at < name.size() && name[at] == '$') ++at;
  const size_t digits = at;
  for (; at < name.size() && name[at] >= '0' && name[at] <= '9'; ++at) {
    if (at - digits >= 9) return std::nullopt;
    place.row = place.row * 10 + (name[at] - '0');
  }
  if (at != name.size() || place.row == 0) return std::nullopt;
  return place;
}

SheetWriter::SheetWriter(MarkdownWriter* writer, int64_t number, std::string name,
                         std::string_view heading)
    : writer_(writer),
      locator_{LocatorKind::kSheet, number, std::move(name), ""},
      heading_(heading) {
  writer_->EndBlock();
}

void SheetWriter::WriteHeading() {
  if (heading_.empty()) return;
  locator_.range.clear();
  writer_->SetLocator(locator_);
  writer_->Heading(1, heading_);
  heading_.clear();
}

void SheetWriter::BeginRow(int64_t row, int64_t repeat) {
  EndRow();
  if (last_row_ != 0 && row != last_row_ + 1) {
    WriteBlock();
    writer_->EndBlock();
  }
  row_ = row;
  repeat_ = std::max<int64_t>(repeat, 1);
}

void SheetWriter::Cell(int64_t column, std::string_view text, int64_t repeat) {
  // Text beyond the limit of the writer would be dropped later, so it is not collected.
  if (column < 1 || text_.size() > writer_->room()) return;
  const std::string line = OneLine(text);
  if (line.empty()) return;
  repeat = std::max<int64_t>(repeat, 1);
  const int64_t written = repeat > kMostRepeats ? 1 : repeat;
  if (pieces_.size() - row_begin_ >= kMostPieces) EndRow();
  for (int64_t i = 0; i < written; ++i) {
    const int64_t last = written == 1 ? column + repeat - 1 : column + i;
    pieces_.push_back({column + i, last, text_.size(), line.size()});
    text_ += line;
  }
}

void SheetWriter::EndRow() {
  if (pieces_.size() == row_begin_) return;
  const auto begin = pieces_.begin() + static_cast<std::ptrdiff_t>(row_begin_);
  if (!std::ranges::is_sorted(begin, pieces_.end(), {}, &Piece::column)) {
    std::ranges::stable_sort(begin, pieces_.end(), {}, &Piece::column);
  }
  first_column_ = first_column_ == 0 ? begin->column : std::min(first_column_, begin->column);
  const int64_t written = repeat_ > kMostRepeats ? 1 : repeat_;
  for (int64_t i = 0; i < written; ++i) {
    const int64_t last = written == 1 ? row_ + repeat_ - 1 : row_ + i;
    rows_.push_back({row_ + i, last, row_begin_, pieces_.size()});
    if (i + 1 < written && text_.size() >= kBlockTextBytes) {
      // The pieces stay for the rows that follow.
      const std::vector<Piece> pieces(pieces_.begin() + static_cast<std::ptrdiff_t>(row_begin_),
                                      pieces_.end());
      const std::string text = text_;
      WriteBlock();
      pieces_ = pieces;
      text_ = text;
    }
  }
  last_row_ = row_ + repeat_ - 1;
  row_begin_ = pieces_.size();
  if (text_.size() >= kBlockTextBytes) WriteBlock();
}

// The rows that are held become one span.
void SheetWriter::WriteBlock() {
  if (rows_.empty()) return;
  WriteHeading();
  int64_t top = rows_.front().row;
  int64_t bottom = rows_.front().last_row;
  int64_t left = pieces_.front().column;
  int64_t right = left;
  for (const HeldRow& row : rows_) {
    top = std::min(top, row.row);
    bottom = std::max(bottom, row.last_row);
    for (size_t i = row.begin; i < row.end; ++i) {
      left = std::min(left, pieces_[i].column);
      right = std::max(right, pieces_[i].last_column);
    }
  }
  locator_.range = CellName(top, left);
  if (top != bottom || left != right) locator_.range += ":" + CellName(bottom, right);
  writer_->SetLocator(locator_);
  std::vector<std::string> cells;
  for (const HeldRow& row : rows_) {
    cells.clear();
    int64_t next = first_column_;  // the column of the next place between tabs
    for (size_t i = row.begin; i < row.end; ++i) {
      const Piece& piece = pieces_[i];
      const int64_t gap = std::max<int64_t>(piece.column - next, 0);
      cells.resize(cells.size() + static_cast<size_t>(gap > kWidestGap ? 1 : gap));
      cells.push_back(text_.substr(piece.begin, piece.size));
      next = std::max(next, piece.last_column + 1);
    }
    writer_->Row(cells);
  }
  rows_.clear();
  pieces_.clear();
  text_.clear();
  row_begin_ = 0;
}

void SheetWriter::Finish() {
  EndRow();
  WriteBlock();
  writer_->EndBlock();
}

}  // namespace recall
