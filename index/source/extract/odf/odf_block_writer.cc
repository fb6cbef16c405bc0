#include "index/source/extract/odf/odf_block_writer.h"

#include <utility>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

constexpr size_t kMostOdfPathBytes = 160;

}  // namespace

void OdfBlockWriter::BeginUnit(int64_t number, std::string name) {
  unit_number_ = number;
  unit_name_ = std::move(name);
}

void OdfBlockWriter::Write(const OdfBlock& block) {
  using Kind = OdfBlock::Kind;
  if (block.kind == Kind::kCode) return AddCode(block);
  WriteCode();
  if (block.kind == Kind::kGap) return EndBlock();
  if (block.kind == Kind::kHeading && body_ == OdfBodyKind::kText) EnterHeading(block);
  SetLocatorOf(block);
  switch (block.kind) {
    case Kind::kHeading:
      return writer_->Heading(block.level, block.text);
    case Kind::kItem:
      return writer_->ListItem(block.level, block.marker, block.text);
    case Kind::kRow:
      return writer_->Row(block.cells);
    default:
      return writer_->Paragraph(block.text);
  }
}

void OdfBlockWriter::WriteSlideTitle(std::string_view title) {
  Locator slide;
  slide.kind = LocatorKind::kSlide;
  slide.number = unit_number_;
  writer_->SetLocator(std::move(slide));
  writer_->Heading(1, title);
}

void OdfBlockWriter::AddCode(const OdfBlock& block) {
  if (code_.empty()) {
    if (block.text.empty()) return;
    code_start_ = block;
    code_start_.text.clear();
  }
  code_ += block.text;
  code_ += '\n';
}

void OdfBlockWriter::WriteCode() {
  if (code_.empty()) return;
  SetLocatorOf(code_start_);
  writer_->Code(std::exchange(code_, {}), "");
}

void OdfBlockWriter::SetLocatorOf(const OdfBlock& block) {
  Locator locator;
  switch (body_) {
    case OdfBodyKind::kNone:
      return;
    case OdfBodyKind::kText:
      locator.kind = LocatorKind::kParagraph;
      locator.number = block.paragraph;
      locator.range = block.range;
      if (block.range.empty()) locator.name = heading_path_;
      break;
    case OdfBodyKind::kSlides:
      locator.kind = LocatorKind::kSlide;
      locator.number = unit_number_;
      if (notes_) locator.range = "notes";
      break;
    case OdfBodyKind::kSheets:
      locator.kind = LocatorKind::kSheet;
      locator.number = unit_number_;
      locator.name = unit_name_;
      locator.range = block.range;
      break;
  }
  writer_->SetLocator(std::move(locator));
}

void OdfBlockWriter::EnterHeading(const OdfBlock& heading) {
  while (!headings_.empty() && headings_.back().level >= heading.level) headings_.pop_back();
  headings_.push_back(
      {heading.level, OneLine(std::string_view(heading.text).substr(0, kMostOdfPathBytes * 2))});
  heading_path_.clear();
  for (const OpenHeading& open : headings_) {
    if (!heading_path_.empty()) heading_path_ += " > ";
    heading_path_ += open.title;
  }
  if (heading_path_.size() > kMostOdfPathBytes) {
    heading_path_.resize(FloorToCharacter(heading_path_, kMostOdfPathBytes));
  }
}

}  // namespace recall
