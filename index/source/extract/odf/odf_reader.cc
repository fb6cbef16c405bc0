#include "index/source/extract/odf/odf_reader.h"

#include <algorithm>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/odf/odf_value.h"

namespace recall {
namespace {

// The problem: OpenDocument nests what a reader sees one after the other. A paragraph may contain a
// note, a comment or a box with paragraphs, lists and tables of its own, a cell a whole document.
//
// The idea: blocks are emitted into the innermost container: the document, a cell, a note, a
// comment or a shape. Cells, notes and comments collect a text. What is found inside a paragraph or
// a row but is not part of its text waits in `deferred_` until that is written. Slides wait until
// their end, because the title may come last.
//
// Invariants: each container begins with no open paragraph, list or table of its own and is closed
// by the element that opened it. paragraphs_ has the open ones of all containers, from the outside
// in. Cost: each byte of text is moved once per container it is in, of which there are at most
// max_depth; held blocks are written early beyond kMostOdfHeldBytes.

constexpr uint64_t kMostOdfHeldBytes = 64 << 20;
constexpr int64_t kMostOdfRepeats = 64;
constexpr size_t kMostOdfRowCells = 1 << 14;
constexpr int64_t kMostOdfSpaces = 256;
constexpr size_t kMostOdfPathBytes = 160;
constexpr size_t kMostOdfCapturedBytes = 64 << 10;

bool IsOdfSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

int64_t WrittenOdfRepeats(int64_t repeat) { return repeat > kMostOdfRepeats ? 1 : repeat; }

// "iv" for 4; numbers that are too large for it stay as they are.
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

void AppendOdfPart(std::string_view part, char divider, std::string* text) {
  if (part.empty()) return;
  if (!text->empty()) *text += divider;
  text->append(part);
}

}  // namespace

OdfReader::OdfReader(MarkdownWriter* writer, std::function<OdfObject(std::string_view)> read_object)
    : writer_(writer), read_object_(std::move(read_object)) {
  containers_.emplace_back();
}

void OdfReader::Begin(bool common_styles_only) {
  common_styles_only_ = common_styles_only;
  is_document_ = false;
  depth_ = 0;
  skipped_ = 0;
  open_.clear();
  captures_ = in_meta_ = in_styles_ = in_masters_ = false;
  in_math_ = in_chart_ = in_page_ = in_notes_ = false;
  containers_.clear();
  containers_.emplace_back();
  paragraphs_.clear();
  deferred_.clear();
  holders_ = asides_ = open_items_ = 0;
}

bool OdfReader::Start(std::string_view name, std::span<const XmlAttribute> attributes) {
  ++depth_;
  if (skipped_ > 0) {
    ++skipped_;
    return true;
  }
  const OdfElement element = OdfElementOf(name);
  if (depth_ == 1) {
    is_document_ = element == OdfElement::kDocument;
    return is_document_;
  }
  if (element == OdfElement::kTransparent) return true;
  StartElement(element, name, attributes);
  return !writer_->full();
}

bool OdfReader::End(std::string_view /*name*/) {
  if (skipped_ > 0) {
    --skipped_;
  } else if (!open_.empty() && open_.back().depth == depth_) {
    const OdfElement element = open_.back().element;
    open_.pop_back();
    EndElement(element);
  }
  --depth_;
  return !writer_->full();
}

bool OdfReader::Text(std::string_view text) {
  if (skipped_ > 0) return true;
  if (captures_) {
    if (captured_.size() < kMostOdfCapturedBytes) captured_.append(text);
  } else if (in_math_) {
    if (math_text_.size() < kMostOdfCapturedBytes) math_text_.append(text).append(" ");
  } else if (InParagraph()) {
    AppendText(text);
  }
  return true;
}

void OdfReader::StartElement(OdfElement element, std::string_view name,
                             std::span<const XmlAttribute> attributes) {
  const auto opens = [&] { open_.push_back({element, depth_}); };
  switch (element) {
    case OdfElement::kSkipped:
      skipped_ = 1;
      return;
    case OdfElement::kAutomaticStyles:
    case OdfElement::kStyles:
    case OdfElement::kMeta:
      // Those of an embedded document are of no use; the automatic styles of styles.xml are those
      // of running headers.
      if (depth_ != 2 || (element == OdfElement::kAutomaticStyles && common_styles_only_)) {
        skipped_ = 1;
        return;
      }
      in_meta_ = element == OdfElement::kMeta;
      in_styles_ = !in_meta_;
      return opens();
    case OdfElement::kMasterStyles:
      if (depth_ != 2) {
        skipped_ = 1;
        return;
      }
      in_masters_ = true;
      return opens();
    case OdfElement::kPageHeader:
    case OdfElement::kPageFooter:
      if (!in_masters_ || containers_.size() != 1) return;
      StartContainer(Container::Kind::kPageText);
      return opens();
    case OdfElement::kTextBody:
    case OdfElement::kPresentationBody:
    case OdfElement::kSpreadsheetBody:
      if (depth_ != 3 || body_ != Body::kNone) return;
      body_ = element == OdfElement::kTextBody           ? Body::kText
              : element == OdfElement::kPresentationBody ? Body::kSlides
                                                         : Body::kSheets;
      return opens();
    case OdfElement::kStyle:
    case OdfElement::kStyleProperties:
    case OdfElement::kListStyle:
    case OdfElement::kListLevelNumber:
    case OdfElement::kListLevelOther:
      if (in_styles_) styles_.Start(element, attributes);
      return;
    case OdfElement::kMetaText:
      if (!in_meta_) return;
      meta_name_ = name;
      Capture();
      return opens();
    case OdfElement::kCreator:
    case OdfElement::kDate:
      if (in_meta_) {
        meta_name_ = name;
      } else if (containers_.back().kind != Container::Kind::kComment || InParagraph()) {
        return;
      }
      Capture();
      return opens();
    default:
      // Of the pages of a master only the headers and footers are read.
      if (in_masters_ ? containers_.size() == 1 : body_ == Body::kNone) return;
  }

  switch (element) {
    case OdfElement::kHeading:
    case OdfElement::kParagraph:
      if (InParagraph() || captures_ || in_math_) return;  // not allowed: its text joins
      StartParagraph(element, attributes);
      return opens();
    case OdfElement::kList:
      if (InParagraph()) return;
      StartList(attributes);
      return opens();
    case OdfElement::kListHeader:
    case OdfElement::kListItem:
      if (InParagraph() || containers_.back().lists.empty()) return;
      StartItem(attributes, element == OdfElement::kListHeader);
      return opens();
    case OdfElement::kNumberedParagraph:
      if (InParagraph()) return;
      StartList(attributes);
      StartItem(attributes, false);
      return opens();
    case OdfElement::kTable:
      if (InParagraph()) return;
      if (in_chart_ ||
          (IsSheet() && OdfAttribute(attributes, "table:name").starts_with("'file:"))) {
        skipped_ = 1;  // the data of a chart; cells of another file that formulas have asked for
        return;
      }
      StartTable(attributes);
      return opens();
    case OdfElement::kRow:
      if (InParagraph() || !InTable()) return;
      StartRow(attributes);
      return opens();
    case OdfElement::kCell:
      if (InParagraph() || !InTable()) return;
      StartCell(attributes);
      return opens();
    case OdfElement::kPage:
      if (body_ != Body::kSlides || containers_.size() != 1 || in_page_) return;
      StartPage(attributes);
      return opens();
    case OdfElement::kNotesPage:
      if (!in_page_ || in_notes_ || containers_.size() != 1 || InParagraph()) return;
      EndOpenItem(&containers_.back());
      FlushDeferred();
      in_notes_ = true;
      return opens();
    case OdfElement::kShape: {
      const std::string_view role = OdfAttribute(attributes, "presentation:class");
      if (role == "header" || role == "footer" || role == "date-time" || role == "page-number") {
        skipped_ = 1;
        return;
      }
      StartContainer(Container::Kind::kShape);
      containers_.back().title = role == "title" && in_page_ && !in_notes_;
      return opens();
    }
    case OdfElement::kObject: {
      OdfObject object = read_object_(OdfAttribute(attributes, "xlink:href"));
      PutObject(std::move(object));
      return;
    }
    case OdfElement::kNote: {
      const bool is_endnote = OdfAttribute(attributes, "text:note-class") == "endnote";
      const int64_t number = is_endnote ? ++endnote_count_ : ++footnote_count_;
      const std::string mark = "[" + (is_endnote ? OdfRoman(number) : std::to_string(number)) + "]";
      if (!captures_ && InParagraph()) AppendExact(mark);
      StartContainer(Container::Kind::kNote);
      containers_.back().mark = mark;
      opens();
      return;
    }
    case OdfElement::kComment:
      StartContainer(Container::Kind::kComment);
      return opens();
    case OdfElement::kSpaces: {
      if (!InParagraph()) return;
      const int64_t count = std::min(OdfCount(attributes, "text:c"), kMostOdfSpaces);
      return AppendExact(std::string(static_cast<size_t>(count), ' '));
    }
    case OdfElement::kTab:
      if (InParagraph()) AppendExact("\t");
      return;
    case OdfElement::kLineBreak:
      if (InParagraph()) AppendExact("\n");
      return;
    case OdfElement::kRubyText:
      if (!InParagraph()) return;
      AppendExact("(");
      return opens();
    case OdfElement::kNumber:
      // Of a heading it is shown; an item gets its number from the list.
      if (!InParagraph()) {
        skipped_ = 1;
        return;
      }
      return opens();
    case OdfElement::kAlternativeText:
      Capture();
      return opens();
    case OdfElement::kMath:
      in_math_ = true;
      math_text_.clear();
      math_annotation_.clear();
      return opens();
    case OdfElement::kMathAnnotation:
      if (!in_math_) return;
      Capture();
      return opens();
    case OdfElement::kChart:
      if (in_chart_) return;
      in_chart_ = true;
      return opens();
    default:
      return;
  }
}

void OdfReader::EndElement(OdfElement element) {
  switch (element) {
    case OdfElement::kAutomaticStyles:
    case OdfElement::kStyles:
      in_styles_ = false;
      return;
    case OdfElement::kMeta:
      in_meta_ = false;
      return;
    case OdfElement::kTextBody:
    case OdfElement::kPresentationBody:
    case OdfElement::kSpreadsheetBody:
      EndOpenItem(&containers_.back());
      FlushDeferred();
      WriteCode();
      if (element == OdfElement::kTextBody) WritePageTexts();
      return;
    case OdfElement::kMasterStyles:
      in_masters_ = false;
      return;
    case OdfElement::kPageHeader:
      return EndPageText("header");
    case OdfElement::kPageFooter:
      return EndPageText("footer");
    case OdfElement::kMetaText:
      return AddMeta(EndCapture());
    case OdfElement::kCreator:
    case OdfElement::kDate: {
      std::string text = OneLine(EndCapture());
      if (in_meta_) return AddMeta(std::move(text));
      Container& comment = containers_.back();
      (element == OdfElement::kCreator ? comment.creator : comment.date) = std::move(text);
      return;
    }
    case OdfElement::kHeading:
    case OdfElement::kParagraph:
      return EndParagraph();
    case OdfElement::kList:
      EndItem();
      last_list_count_ = containers_.back().lists.back().count;
      containers_.back().lists.pop_back();
      return;
    case OdfElement::kListHeader:
    case OdfElement::kListItem:
      return EndItem();
    case OdfElement::kNumberedParagraph:
      EndItem();
      containers_.back().lists.pop_back();
      return;
    case OdfElement::kTable:
      if (IsSheetTable()) return EndSheet();
      containers_.back().tables.pop_back();
      return EmitGap();
    case OdfElement::kRow:
      return EndRow();
    case OdfElement::kCell:
      return EndCell();
    case OdfElement::kPage:
      return EndPage();
    case OdfElement::kNotesPage:
      EndOpenItem(&containers_.back());
      FlushDeferred();
      in_notes_ = false;
      return;
    case OdfElement::kShape:
    case OdfElement::kNote:
    case OdfElement::kComment:
      return EndContainer();
    case OdfElement::kRubyText:
      return AppendExact(")");
    case OdfElement::kNumber:
      return AppendText(" ");
    case OdfElement::kAlternativeText: {
      const std::string text = OneLine(EndCapture());
      Container& container = containers_.back();
      if (text.empty() || container.alternative == text) return;
      if (!container.alternative.empty()) container.alternative += ": ";
      container.alternative += text;
      if (container.kind != Container::Kind::kShape) PutAlternative(&container);
      return;
    }
    case OdfElement::kMath:
      in_math_ = false;
      return PutObject({OneLine(math_annotation_.empty() ? math_text_ : math_annotation_), true});
    case OdfElement::kMathAnnotation:
      math_annotation_ = EndCapture();
      return;
    case OdfElement::kChart:
      in_chart_ = false;
      return;
    default:
      return;
  }
}

void OdfReader::Capture() {
  captures_ = true;
  captured_.clear();
}

std::string OdfReader::EndCapture() {
  captures_ = false;
  return std::exchange(captured_, {});
}

void OdfReader::AddMeta(std::string text) {
  text = OneLine(text);
  if (!text.empty()) facts_.push_back({std::string(meta_name_), std::move(text)});
}

// Paragraphs.

void OdfReader::StartParagraph(OdfElement element, std::span<const XmlAttribute> attributes) {
  Paragraph paragraph;
  const OdfStyles::Role role = styles_.RoleOf(OdfAttribute(attributes, "text:style-name"));
  if (element == OdfElement::kHeading) {
    paragraph.level =
        static_cast<int>(std::min<int64_t>(OdfCount(attributes, "text:outline-level"), 6));
  } else if (role == OdfStyles::Role::kTitle) {
    paragraph.level = 1;
  }
  paragraph.code = paragraph.level == 0 && role == OdfStyles::Role::kCode;
  if (asides_ == 0) ++paragraph_count_;
  paragraph.number = paragraph_count_;
  paragraphs_.push_back(std::move(paragraph));
}

void OdfReader::AppendText(std::string_view text) {
  Paragraph& paragraph = paragraphs_.back();
  for (size_t i = 0; i < text.size();) {
    if (IsOdfSpace(text[i])) {
      if (!paragraph.collapses) paragraph.text += ' ';
      paragraph.collapses = true;
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() && !IsOdfSpace(text[end])) ++end;
    paragraph.text.append(text.substr(i, end - i));
    paragraph.collapses = false;
    i = end;
  }
}

void OdfReader::AppendExact(std::string_view text) {
  paragraphs_.back().text.append(text);
  paragraphs_.back().collapses = false;
}

void OdfReader::EndParagraph() {
  Paragraph paragraph = std::move(paragraphs_.back());
  paragraphs_.pop_back();
  while (!paragraph.code && !paragraph.text.empty() && IsOdfSpace(paragraph.text.back())) {
    paragraph.text.pop_back();
  }
  Container& container = containers_.back();
  if (!paragraph.text.empty() || paragraph.code) {
    Block block;
    block.text = std::move(paragraph.text);
    block.paragraph = paragraph.number;
    block.level = paragraph.level;
    List* const list = container.lists.empty() ? nullptr : &container.lists.back();
    if (paragraph.level > 0) {
      EndOpenItem(&container);
      block.kind = Block::Kind::kHeading;
      Emit(std::move(block));
    } else if (container.item) {
      AppendOdfPart(block.text, '\n', &container.item->text);
    } else if (list != nullptr && list->marker_due && !block.text.empty()) {
      list->marker_due = false;
      block.kind = Block::Kind::kItem;
      block.level = static_cast<int>(container.lists.size()) - 1;
      block.marker = list->numbered ? std::to_string(list->count) + "." : "-";
      container.item = std::move(block);
      ++open_items_;
    } else {
      if (paragraph.code) block.kind = Block::Kind::kCode;
      Emit(std::move(block));
    }
  }
  FlushDeferred();
}

// Lists.

void OdfReader::StartList(std::span<const XmlAttribute> attributes) {
  Container& container = containers_.back();
  EndOpenItem(&container);
  List list;
  list.style = OdfAttribute(attributes, "text:style-name");
  if (list.style.empty() && !container.lists.empty()) list.style = container.lists.back().style;
  list.numbered = styles_.IsNumbered(list.style, static_cast<int>(container.lists.size()) + 1);
  if (OdfAttribute(attributes, "text:continue-numbering") == "true") list.count = last_list_count_;
  container.lists.push_back(std::move(list));
}

void OdfReader::StartItem(std::span<const XmlAttribute> attributes, bool header) {
  Container& container = containers_.back();
  EndOpenItem(&container);
  List& list = container.lists.back();
  list.marker_due = !header;
  if (header) return;
  const bool restarts = !OdfAttribute(attributes, "text:start-value").empty();
  list.count = restarts ? OdfCount(attributes, "text:start-value") : list.count + 1;
}

void OdfReader::EndItem() {
  Container& container = containers_.back();
  EndOpenItem(&container);
  container.lists.back().marker_due = false;
}

void OdfReader::EndOpenItem(Container* container) {
  if (!container->item) return;
  Block item = std::move(*container->item);
  container->item.reset();
  --open_items_;
  Emit(std::move(item));
  FlushDeferred();
}

// Tables and sheets.

bool OdfReader::InTable() const {
  return !containers_.back().tables.empty() || (sheet_ && containers_.size() == 1);
}

bool OdfReader::IsSheetTable() const {
  return sheet_ && containers_.size() == 1 && containers_.back().tables.empty();
}

bool OdfReader::IsSheet() const {
  return body_ == Body::kSheets && !sheet_ && containers_.size() == 1 && !InParagraph();
}

void OdfReader::StartTable(std::span<const XmlAttribute> attributes) {
  EndOpenItem(&containers_.back());
  if (!IsSheet()) {
    containers_.back().tables.emplace_back();
    return;
  }
  FlushDeferred();
  sheet_name_ = OneLine(OdfAttribute(attributes, "table:name"));
  std::string heading =
      sheet_name_.empty() ? "Sheet " + std::to_string(sheet_number_ + 1) : sheet_name_;
  if (styles_.HidesSheet(OdfAttribute(attributes, "table:style-name"))) heading += " (hidden)";
  sheet_.emplace(writer_, ++sheet_number_, sheet_name_, heading);
  row_ = 1;
  row_repeat_ = 1;
}

void OdfReader::EndSheet() {
  if (!deferred_.empty()) sheet_->WriteHeading();
  sheet_->Finish();
  sheet_.reset();
  FlushDeferred();
}

void OdfReader::StartRow(std::span<const XmlAttribute> attributes) {
  const int64_t repeat = OdfCount(attributes, "table:number-rows-repeated");
  if (IsSheetTable()) {
    row_repeat_ = repeat;
    column_ = 1;
    sheet_->BeginRow(row_, repeat);
    return;
  }
  Table& table = containers_.back().tables.back();
  table.cells.clear();
  table.empty_cells = 0;
  table.repeat = repeat;
  table.paragraph = paragraph_count_ + 1;
}

void OdfReader::EndRow() {
  if (IsSheetTable()) {
    row_ += row_repeat_;
    return;
  }
  Table& table = containers_.back().tables.back();
  if (!table.cells.empty()) {
    const int64_t repeat = WrittenOdfRepeats(table.repeat);
    Block row;
    row.kind = Block::Kind::kRow;
    row.cells = std::exchange(table.cells, {});
    row.paragraph = table.paragraph;
    for (int64_t i = 1; i < repeat && !writer_->full(); ++i) Emit(row);
    Emit(std::move(row));
  }
  FlushDeferred();
}

void OdfReader::StartCell(std::span<const XmlAttribute> attributes) {
  StartContainer(Container::Kind::kCell);
  Container& cell = containers_.back();
  cell.repeat = OdfCount(attributes, "table:number-columns-repeated");
  cell.value = OdfShownValue(attributes);
}

void OdfReader::EndCell() {
  EndOpenItem(&containers_.back());
  Container& cell = containers_.back();
  const std::string text = cell.text.empty() ? std::move(cell.value) : std::move(cell.text);
  const int64_t repeat = cell.repeat;
  PopContainer();
  if (IsSheetTable()) {
    sheet_->Cell(column_, text, repeat);
    column_ += repeat;
    return;
  }
  if (containers_.back().tables.empty()) return;
  Table& table = containers_.back().tables.back();
  const int64_t written = WrittenOdfRepeats(repeat);
  if (text.empty()) {
    table.empty_cells += written;
    return;
  }
  for (int64_t i = -std::min<int64_t>(table.empty_cells, kMostOdfRowCells); i < written; ++i) {
    if (table.cells.size() < kMostOdfRowCells) {
      table.cells.push_back(i < 0 ? std::string() : text);
    } else if (i >= 0) {
      AppendOdfPart(text, ' ', &table.cells.back());
      break;
    }
  }
  table.empty_cells = 0;
}

// Slides.

void OdfReader::StartPage(std::span<const XmlAttribute> attributes) {
  in_page_ = true;
  ++slide_number_;
  slide_hidden_ = styles_.HidesSlide(OdfAttribute(attributes, "draw:style-name"));
  slide_title_.clear();
  slide_titled_ = false;
}

void OdfReader::EndPage() {
  EndOpenItem(&containers_.back());
  FlushDeferred();
  WriteSlide();
  in_page_ = false;
}

void OdfReader::WriteSlide() {
  held_bytes_ = 0;
  if (!slide_titled_) {
    slide_titled_ = true;
    Locator slide;
    slide.kind = LocatorKind::kSlide;
    slide.number = slide_number_;
    writer_->EndBlock();
    std::string title =
        slide_title_.empty() ? "Slide " + std::to_string(slide_number_) : slide_title_;
    if (slide_hidden_) title += " (hidden)";
    if (!slide_title_.empty() || !slide_.empty() || !slide_notes_.empty()) {
      writer_->SetLocator(std::move(slide));
      writer_->Heading(1, title);
    }
  }
  writes_notes_ = false;
  for (const Block& block : std::exchange(slide_, {})) Write(block);
  WriteCode();
  writes_notes_ = true;
  writer_->EndBlock();
  for (const Block& block : std::exchange(slide_notes_, {})) Write(block);
  WriteCode();
  writer_->EndBlock();
}

// Containers.

void OdfReader::StartContainer(Container::Kind kind) {
  Container container;
  container.kind = kind;
  container.paragraphs = paragraphs_.size();
  containers_.push_back(std::move(container));
  if (kind != Container::Kind::kShape) ++holders_;
  if (IsAside(kind)) ++asides_;
}

void OdfReader::PopContainer() {
  const Container::Kind kind = containers_.back().kind;
  if (kind != Container::Kind::kShape) --holders_;
  if (IsAside(kind)) --asides_;
  containers_.pop_back();
}

void OdfReader::EndContainer() {
  EndOpenItem(&containers_.back());
  PutAlternative(&containers_.back());
  Container container = std::move(containers_.back());
  containers_.back().kind = container.kind;
  PopContainer();
  Block block;
  block.paragraph = std::max<int64_t>(paragraph_count_, 1);
  if (sheet_) block.range = CellName();
  if (container.kind == Container::Kind::kNote && !container.text.empty()) {
    block.text = container.mark + " " + container.text;
    Defer(std::move(block));
  } else if (container.kind == Container::Kind::kComment && !container.text.empty()) {
    block.text = "Comment";
    if (!container.creator.empty()) block.text += " (" + container.creator + ")";
    block.text += ": " + container.text;
    Defer(std::move(block));
  }
  FlushDeferred();
}

void OdfReader::EndPageText(std::string_view range) {
  EndOpenItem(&containers_.back());
  Block block;
  block.text = OneLine(containers_.back().text);
  block.range = range;
  PopContainer();
  deferred_.clear();  // what pages have beside their text: comments
  const bool has_word = std::ranges::any_of(block.text, [](char c) {
    return static_cast<uint8_t>(c) >= 0x80 || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  });
  const bool known = std::ranges::any_of(page_texts_, [&](const Block& other) {
    return other.text == block.text && other.range == block.range;
  });
  constexpr size_t kMostPageTexts = 1000;
  if (has_word && !known && page_texts_.size() < kMostPageTexts) {
    page_texts_.push_back(std::move(block));
  }
}

void OdfReader::WritePageTexts() {
  for (const Block& block : page_texts_) Write(block);
}

void OdfReader::PutAlternative(Container* container) {
  if (container->alternative.empty()) return;
  Block block;
  block.text = std::exchange(container->alternative, {});
  block.paragraph = std::max<int64_t>(paragraph_count_, 1);
  Emit(std::move(block));
}

void OdfReader::PutObject(OdfObject object) {
  if (object.text.empty()) return;
  if (object.formula && !paragraphs_.empty()) {
    AppendText(" ");
    AppendText(object.text);
    AppendText(" ");
    return;
  }
  Block block;
  block.text = std::move(object.text);
  block.paragraph = std::max<int64_t>(paragraph_count_, 1);
  Emit(std::move(block));
}

std::string OdfReader::CellName() const {
  return holders_ == 0 ? "" : ColumnName(column_) + std::to_string(row_);
}

// Blocks.

void OdfReader::Emit(Block block) {
  using Kind = Container::Kind;
  for (size_t i = containers_.size(); i-- > 0;) {
    Container& container = containers_[i];
    if (container.kind == Kind::kBody) break;
    std::string* text = &container.text;
    char divider = container.kind == Kind::kCell ? ' ' : '\n';
    if (container.kind == Kind::kShape) {
      if (!container.title) continue;
      text = &slide_title_;
      divider = ' ';
    }
    AppendOdfPart(block.text, divider, text);
    for (const std::string& cell : block.cells) AppendOdfPart(cell, ' ', text);
    return;
  }
  if (sheet_) block.range = CellName();
  if (!paragraphs_.empty() || open_items_ > 0 || sheet_) return Defer(std::move(block));
  Put(std::move(block));
}

void OdfReader::EmitGap() {
  Block gap;
  gap.kind = Block::Kind::kGap;
  Emit(std::move(gap));
}

void OdfReader::Defer(Block block) {
  held_bytes_ += sizeof(Block) + block.text.size();
  for (const std::string& cell : block.cells) held_bytes_ += sizeof(cell) + cell.size();
  deferred_.push_back(std::move(block));
  if (held_bytes_ <= kMostOdfHeldBytes) return;
  if (sheet_) sheet_->WriteHeading();
  for (Block& held : std::exchange(deferred_, {})) Put(std::move(held));
}

void OdfReader::FlushDeferred() {
  if (deferred_.empty() || !paragraphs_.empty() || holders_ > 0 || open_items_ > 0 || sheet_) {
    return;
  }
  for (Block& block : std::exchange(deferred_, {})) Put(std::move(block));
  if (!in_page_) held_bytes_ = 0;
}

void OdfReader::Put(Block block) {
  if (!in_page_) {
    Write(block);
    return;
  }
  held_bytes_ += sizeof(Block) + block.text.size();
  for (const std::string& cell : block.cells) held_bytes_ += sizeof(cell) + cell.size();
  (in_notes_ ? slide_notes_ : slide_).push_back(std::move(block));
  if (held_bytes_ > kMostOdfHeldBytes) WriteSlide();
}

void OdfReader::SetPlace(const Block& block) {
  Locator locator;
  switch (body_) {
    case Body::kNone:
      return;
    case Body::kText:
      locator.kind = LocatorKind::kParagraph;
      locator.number = block.paragraph;
      locator.range = block.range;
      if (block.range.empty()) locator.name = heading_path_;
      break;
    case Body::kSlides:
      locator.kind = LocatorKind::kSlide;
      locator.number = slide_number_;
      if (writes_notes_) locator.range = "notes";
      break;
    case Body::kSheets:
      locator.kind = LocatorKind::kSheet;
      locator.number = sheet_number_;
      locator.name = sheet_name_;
      locator.range = block.range;
      break;
  }
  writer_->SetLocator(std::move(locator));
}

void OdfReader::Write(const Block& block) {
  if (block.kind == Block::Kind::kCode) {
    if (code_.empty()) {
      if (block.text.empty()) return;
      code_block_ = block;
      code_block_.text.clear();
    }
    code_ += block.text;
    code_ += '\n';
    return;
  }
  WriteCode();
  if (block.kind == Block::Kind::kGap) {
    writer_->EndBlock();
    return;
  }
  if (block.kind == Block::Kind::kHeading && body_ == Body::kText) EnterHeading(block);
  SetPlace(block);
  switch (block.kind) {
    case Block::Kind::kHeading:
      return writer_->Heading(block.level, block.text);
    case Block::Kind::kItem:
      return writer_->ListItem(block.level, block.marker, block.text);
    case Block::Kind::kRow:
      return writer_->Row(block.cells);
    default:
      return writer_->Paragraph(block.text);
  }
}

void OdfReader::EnterHeading(const Block& heading) {
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

void OdfReader::WriteCode() {
  if (code_.empty()) return;
  SetPlace(code_block_);
  writer_->Code(std::exchange(code_, {}), "");
}

}  // namespace recall
