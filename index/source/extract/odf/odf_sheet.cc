#include "index/source/extract/odf/odf_sheet.h"

namespace recall {

void OdfSheet::Begin(MarkdownWriter* writer, std::string_view name, bool hidden) {
  ++number_;
  std::string heading = name.empty() ? "Sheet " + std::to_string(number_) : std::string(name);
  if (hidden) heading += " (hidden)";
  writer_.emplace(writer, number_, std::string(name), heading);
  row_ = 1;
  row_repeat_ = 1;
}

void OdfSheet::BeginRow(int64_t repeat) {
  row_repeat_ = repeat;
  column_ = 1;
  writer_->BeginRow(row_, repeat);
}

void OdfSheet::AddCell(std::string_view text, int64_t repeat) {
  writer_->Cell(column_, text, repeat);
  column_ += repeat;
}

void OdfSheet::End() {
  writer_->Finish();
  writer_.reset();
}

}  // namespace recall
