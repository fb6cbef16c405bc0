// The problem: OpenDocument nests what a person reads one after the other. A paragraph may contain
// a note, a comment or a box with paragraphs, lists and tables of its own; a cell may contain a
// whole document.
//
// The idea: blocks are emitted into the innermost container that collects a text: a cell, a note, a
// comment, a header of pages, or the shape with the title of a slide. Blocks that no container
// collects belong to the document. If a paragraph, an item or a sheet is open they are deferred,
// because its text must come first.
//
// Invariants: each container begins with no open paragraph, list or table of its own, and is closed
// by the element that opened it. paragraphs_ has the open paragraphs of all containers, from the
// outside in. An item that has text stays open until another block begins, because more paragraphs
// may follow.
//
// Cost: each byte of text is moved once per container that it is in. XmlReader limits their number
// by the depth of elements.

#include "index/source/extract/odf/odf_nesting.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

constexpr size_t kMostOdfPageTexts = 1000;

// "iv" for 4. Numbers from 4000 are written in digits.
std::string OdfRoman(int64_t number) {
  if (number >= 4000) return std::to_string(number);
  constexpr std::string_view kOnes[] = {"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"};
  constexpr std::string_view kTens[] = {"", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx", "xc"};
  constexpr std::string_view kHundreds[] = {"",  "c",  "cc",  "ccc",  "cd",
                                            "d", "dc", "dcc", "dccc", "cm"};
  std::string roman(static_cast<size_t>(number / 1000), 'm');
  roman += kHundreds[number / 100 % 10];
  roman += kTens[number / 10 % 10];
  return roman.append(kOnes[number % 10]);
}

// Whether the text has a letter. Page numbers and rulers have none.
bool HasOdfWord(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return static_cast<uint8_t>(c) >= 0x80 || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  });
}

}  // namespace

OdfNesting::OdfNesting(const OdfStyles* styles, OdfOutput* output)
    : styles_(styles), output_(output), containers_(1) {}

void OdfNesting::Reset() {
  containers_.clear();
  containers_.emplace_back();
  paragraphs_.clear();
  collectors_ = asides_ = open_items_ = 0;
}

// Paragraphs.

void OdfNesting::StartParagraph(int outline_level, std::string_view style) {
  const OdfStyles::Role role = styles_->RoleOf(style);
  OdfParagraph paragraph;
  paragraph.level = outline_level;
  if (outline_level == 0 && role == OdfStyles::Role::kTitle) paragraph.level = 1;
  paragraph.code = paragraph.level == 0 && role == OdfStyles::Role::kCode;
  if (asides_ == 0) ++paragraph_count_;
  paragraph.number = paragraph_count_;
  paragraphs_.push_back(std::move(paragraph));
}

void OdfNesting::EndParagraph() {
  OdfParagraph paragraph = std::move(paragraphs_.back());
  paragraphs_.pop_back();
  paragraph.TrimEnd();
  if (!paragraph.text.empty() || paragraph.code) {
    OdfBlock block;
    block.text = std::move(paragraph.text);
    block.paragraph = paragraph.number;
    block.level = paragraph.level;
    EmitParagraph(std::move(block), paragraph.code);
  }
  Flush();
}

void OdfNesting::EmitParagraph(OdfBlock block, bool code) {
  OdfContainer& container = containers_.back();
  if (block.level > 0) {
    EndOpenItem();
    block.kind = OdfBlock::Kind::kHeading;
    return Emit(std::move(block));
  }
  if (container.item) return AppendOdfPart(block.text, '\n', &container.item->text);
  if (InList() && container.lists.back().marker_due && !block.text.empty()) {
    container.lists.back().marker_due = false;
    block.kind = OdfBlock::Kind::kItem;
    block.level = static_cast<int>(container.lists.size()) - 1;
    block.marker = container.lists.back().Marker();
    container.item = std::move(block);
    ++open_items_;
    return;
  }
  if (code) block.kind = OdfBlock::Kind::kCode;
  Emit(std::move(block));
}

// Lists.

void OdfNesting::StartList(std::string_view style, bool continues_numbers) {
  EndOpenItem();
  OdfContainer& container = containers_.back();
  OdfList list;
  list.style = style;
  if (list.style.empty() && InList()) list.style = container.lists.back().style;
  list.numbered = styles_->IsNumbered(list.style, static_cast<int>(container.lists.size()) + 1);
  if (continues_numbers) list.count = last_list_count_;
  container.lists.push_back(std::move(list));
}

void OdfNesting::EndList() {
  EndItem();
  last_list_count_ = containers_.back().lists.back().count;
  containers_.back().lists.pop_back();
}

void OdfNesting::StartItem(std::optional<int64_t> number) {
  EndOpenItem();
  OdfList& list = containers_.back().lists.back();
  list.marker_due = true;
  list.count = number.value_or(list.count + 1);
}

void OdfNesting::StartListHeader() { EndItem(); }

void OdfNesting::EndItem() {
  EndOpenItem();
  containers_.back().lists.back().marker_due = false;
}

void OdfNesting::EndNumberedParagraph() {
  EndItem();
  containers_.back().lists.pop_back();
}

void OdfNesting::EndOpenItem() {
  OdfContainer& container = containers_.back();
  if (!container.item) return;
  OdfBlock item = std::move(*container.item);
  container.item.reset();
  --open_items_;
  Emit(std::move(item));
  Flush();
}

// Tables and sheets.

bool OdfNesting::InTable() const {
  return !containers_.back().tables.empty() || (output_->sheet()->open() && IsOutermost());
}

bool OdfNesting::InSheet() const {
  return output_->sheet()->open() && IsOutermost() && containers_.back().tables.empty();
}

bool OdfNesting::StartsSheet() const {
  return output_->body() == OdfBodyKind::kSheets && !output_->sheet()->open() && IsOutermost() &&
         !InParagraph();
}

void OdfNesting::StartTable(std::string_view name, bool hidden) {
  EndOpenItem();
  if (!StartsSheet()) {
    containers_.back().tables.emplace_back();
    return;
  }
  Flush();
  output_->BeginSheet(name, hidden);
}

void OdfNesting::EndTable() {
  if (InSheet()) {
    output_->EndSheet();
    return Flush();
  }
  containers_.back().tables.pop_back();
  OdfBlock gap;
  gap.kind = OdfBlock::Kind::kGap;
  Emit(std::move(gap));
}

void OdfNesting::StartRow(int64_t repeat) {
  if (InSheet()) return output_->sheet()->BeginRow(repeat);
  containers_.back().tables.back().BeginRow(repeat, paragraph_count_ + 1);
}

void OdfNesting::EndRow() {
  if (InSheet()) return output_->sheet()->EndRow();
  OdfTable& table = containers_.back().tables.back();
  if (!table.cells.empty()) {
    OdfBlock row;
    row.kind = OdfBlock::Kind::kRow;
    row.cells = std::exchange(table.cells, {});
    row.paragraph = table.paragraph;
    const int64_t repeat = WrittenOdfRepeats(table.repeat);
    for (int64_t i = 1; i < repeat && !output_->full(); ++i) Emit(row);
    Emit(std::move(row));
  }
  Flush();
}

void OdfNesting::StartCell(int64_t repeat, std::string value) {
  StartContainer(OdfContainer::Kind::kCell);
  containers_.back().repeat = repeat;
  containers_.back().value = std::move(value);
}

void OdfNesting::EndCell() {
  EndOpenItem();
  const OdfContainer cell = PopContainer();
  const std::string& text = cell.text.empty() ? cell.value : cell.text;
  if (InSheet()) return output_->sheet()->AddCell(text, cell.repeat);
  std::vector<OdfTable>& tables = containers_.back().tables;
  if (!tables.empty()) tables.back().AddCell(text, cell.repeat);
}

// Containers.

void OdfNesting::StartContainer(OdfContainer::Kind kind) {
  OdfContainer container;
  container.kind = kind;
  container.paragraphs = paragraphs_.size();
  collectors_ += container.collects();
  asides_ += container.is_aside();
  containers_.push_back(std::move(container));
}

OdfContainer OdfNesting::PopContainer() {
  OdfContainer container = std::move(containers_.back());
  containers_.pop_back();
  collectors_ -= container.collects();
  asides_ -= container.is_aside();
  return container;
}

void OdfNesting::StartShape(bool is_title) {
  StartContainer(OdfContainer::Kind::kShape);
  containers_.back().title = is_title;
}

void OdfNesting::StartNote(bool is_endnote, bool cites) {
  const std::string number =
      is_endnote ? OdfRoman(++endnote_count_) : std::to_string(++footnote_count_);
  std::string mark = "[" + number + "]";
  if (cites && InParagraph()) AppendExact(mark);
  StartContainer(OdfContainer::Kind::kNote);
  containers_.back().mark = std::move(mark);
}

void OdfNesting::StartComment() { StartContainer(OdfContainer::Kind::kComment); }

void OdfNesting::EndContainer() {
  EndOpenItem();
  EmitAlternative();
  const OdfContainer container = PopContainer();
  if (!container.text.empty()) {
    if (container.kind == OdfContainer::Kind::kNote) {
      DeferAside(container.mark + " " + container.text);
    } else if (container.kind == OdfContainer::Kind::kComment) {
      const std::string& creator = container.creator;
      DeferAside("Comment" + (creator.empty() ? "" : " (" + creator + ")") + ": " + container.text);
    }
  }
  Flush();
}

void OdfNesting::DeferAside(std::string text) {
  OdfBlock block;
  block.text = std::move(text);
  block.paragraph = std::max<int64_t>(paragraph_count_, 1);
  if (output_->sheet()->open()) block.range = OpenCell();
  output_->Defer(std::move(block));
}

void OdfNesting::StartPageText() { StartContainer(OdfContainer::Kind::kPageText); }

void OdfNesting::EndPageText(std::string_view range) {
  EndOpenItem();
  OdfBlock block;
  block.text = OneLine(PopContainer().text);
  block.range = range;
  output_->DropDeferred();  // comments and notes of headers are not read
  const bool known = std::ranges::any_of(page_texts_, [&](const OdfBlock& other) {
    return other.text == block.text && other.range == block.range;
  });
  if (HasOdfWord(block.text) && !known && page_texts_.size() < kMostOdfPageTexts) {
    page_texts_.push_back(std::move(block));
  }
}

void OdfNesting::AddAlternative(std::string_view text) {
  OdfContainer& container = containers_.back();
  if (text.empty() || container.alternative == text) return;
  if (!container.alternative.empty()) container.alternative += ": ";
  container.alternative += text;
  if (container.kind != OdfContainer::Kind::kShape) EmitAlternative();
}

void OdfNesting::EmitAlternative() { EmitText(std::exchange(containers_.back().alternative, {})); }

void OdfNesting::AddObject(OdfObject object) {
  if (object.text.empty()) return;
  if (!object.formula || paragraphs_.empty()) return EmitText(std::move(object.text));
  AppendText(" ");
  AppendText(object.text);
  AppendText(" ");
}

// Blocks.

void OdfNesting::EndPart() {
  EndOpenItem();
  Flush();
}

void OdfNesting::EmitText(std::string text) {
  if (text.empty()) return;
  OdfBlock block;
  block.text = std::move(text);
  block.paragraph = std::max<int64_t>(paragraph_count_, 1);
  Emit(std::move(block));
}

std::string* OdfNesting::Collector(char* divider) {
  for (size_t i = containers_.size(); i-- > 1;) {
    OdfContainer& container = containers_[i];
    if (container.collects()) {
      *divider = container.kind == OdfContainer::Kind::kCell ? ' ' : '\n';
      return &container.text;
    }
    if (container.title) {
      *divider = ' ';
      return output_->slide()->title();
    }
  }
  return nullptr;
}

void OdfNesting::Emit(OdfBlock block) {
  char divider = ' ';
  if (std::string* const text = Collector(&divider)) {
    AppendOdfPart(block.text, divider, text);
    for (const std::string& cell : block.cells) AppendOdfPart(cell, ' ', text);
    return;
  }
  const bool in_sheet = output_->sheet()->open();
  if (in_sheet) block.range = OpenCell();
  if (!paragraphs_.empty() || open_items_ > 0 || in_sheet) return output_->Defer(std::move(block));
  output_->Put(std::move(block));
}

void OdfNesting::Flush() {
  if (paragraphs_.empty() && collectors_ == 0 && open_items_ == 0) output_->Flush();
}

std::string OdfNesting::OpenCell() const {
  return collectors_ == 0 ? "" : output_->sheet()->CellName();
}

}  // namespace recall
