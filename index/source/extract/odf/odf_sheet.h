#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/source/extract/markdown/sheet_writer.h"

namespace recall {

// The sheets of a spreadsheet, one after the other, and the place of the reader in the open one.
// Cells have no names in the file: a place is the sum of the repeats before it.
class OdfSheet final {
 public:
  // Opens the next sheet. `writer` must outlive it. name: may be empty.
  void Begin(MarkdownWriter* writer, std::string_view name, bool hidden);
  void BeginRow(int64_t repeat);
  void AddCell(std::string_view text, int64_t repeat);
  void EndRow() { row_ += row_repeat_; }
  // Writes the heading now, so that the sheet has one even if all its cells are empty.
  void WriteHeading() { writer_->WriteHeading(); }
  void End();

  bool open() const { return writer_.has_value(); }
  // The number of the last sheet that began, from 1; 0 if there was none.
  int64_t number() const { return number_; }
  // The name of the cell that comes next, or is open: "B4".
  std::string CellName() const { return ColumnName(column_) + std::to_string(row_); }

 private:
  std::optional<SheetWriter> writer_;
  int64_t number_ = 0;
  int64_t row_ = 1;
  int64_t row_repeat_ = 1;
  int64_t column_ = 1;
};

}  // namespace recall
