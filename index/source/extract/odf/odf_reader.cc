#include "index/source/extract/odf/odf_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "index/source/extract/odf/odf_value.h"

namespace recall {
namespace {

constexpr int64_t kMostOdfSpaces = 256;
constexpr size_t kMostOdfCapturedBytes = 64 << 10;

}  // namespace

// What the reader does with an element.
struct OdfReader::Handler {
  // Where the element is handled; elsewhere it is transparent. kContent: in the text of the
  // document. kBlock, kInline: in the text, outside and inside of paragraphs.
  enum class Where : uint8_t { kAnywhere, kContent, kBlock, kInline };
  OdfElement element;
  Where where = Where::kAnywhere;
  Entry (OdfReader::*start)(const Tag& tag) = nullptr;  // null: the element is transparent
  void (OdfReader::*end)() = nullptr;                   // called if it was entered
};

// The handler of each OdfElement, in their order.
struct OdfReader::Handlers {
  using enum OdfElement;
  using enum Handler::Where;
  using Reader = OdfReader;
  static constexpr Handler kRows[] = {
      {kTransparent},
      {kSkipped, kAnywhere, &Reader::Skip},
      {kAutomaticStyles, kAnywhere, &Reader::StartStyles, &Reader::EndSection},
      {kBody},
      {kDocument},
      {kMeta, kAnywhere, &Reader::StartMeta, &Reader::EndSection},
      {kStyles, kAnywhere, &Reader::StartStyles, &Reader::EndSection},
      {kTextBody, kAnywhere, &Reader::StartBody, &Reader::EndBody},
      {kPresentationBody, kAnywhere, &Reader::StartBody, &Reader::EndBody},
      {kSpreadsheetBody, kAnywhere, &Reader::StartBody, &Reader::EndBody},
      {kStyle, kAnywhere, &Reader::StartStyle},
      {kListStyle, kAnywhere, &Reader::StartStyle},
      {kListLevelNumber, kAnywhere, &Reader::StartStyle},
      {kListLevelOther, kAnywhere, &Reader::StartStyle},
      {kStyleProperties, kAnywhere, &Reader::StartStyle},
      {kMasterStyles, kAnywhere, &Reader::StartMasters, &Reader::EndSection},
      {kPageHeader, kAnywhere, &Reader::StartPageText, &Reader::EndPageHeader},
      {kPageFooter, kAnywhere, &Reader::StartPageText, &Reader::EndPageFooter},
      {kHeading, kBlock, &Reader::StartParagraph, &Reader::EndParagraph},
      {kParagraph, kBlock, &Reader::StartParagraph, &Reader::EndParagraph},
      {kList, kBlock, &Reader::StartList, &Reader::EndList},
      {kListHeader, kBlock, &Reader::StartListHeader, &Reader::EndItem},
      {kListItem, kBlock, &Reader::StartItem, &Reader::EndItem},
      {kNumberedParagraph, kBlock, &Reader::StartNumberedParagraph, &Reader::EndNumberedParagraph},
      {kTable, kBlock, &Reader::StartTable, &Reader::EndTable},
      {kRow, kBlock, &Reader::StartRow, &Reader::EndRow},
      {kCell, kBlock, &Reader::StartCell, &Reader::EndCell},
      {kPage, kContent, &Reader::StartPage, &Reader::EndPage},
      {kNotesPage, kBlock, &Reader::StartNotesPage, &Reader::EndNotesPage},
      {kShape, kContent, &Reader::StartShape, &Reader::EndContainer},
      {kObject, kContent, &Reader::StartObject},
      {kSpaces, kInline, &Reader::StartSpaces},
      {kTab, kInline, &Reader::StartTab},
      {kLineBreak, kInline, &Reader::StartLineBreak},
      {kNote, kContent, &Reader::StartNote, &Reader::EndContainer},
      {kComment, kContent, &Reader::StartComment, &Reader::EndContainer},
      {kRubyText, kInline, &Reader::StartRubyText, &Reader::EndRubyText},
      {kNumber, kContent, &Reader::StartNumber, &Reader::EndNumber},
      {kAlternativeText, kContent, &Reader::StartAlternativeText, &Reader::EndAlternativeText},
      {kCreator, kAnywhere, &Reader::StartCreatorOrDate, &Reader::EndCreator},
      {kDate, kAnywhere, &Reader::StartCreatorOrDate, &Reader::EndDate},
      {kMath, kContent, &Reader::StartMath, &Reader::EndMath},
      {kMathAnnotation, kContent, &Reader::StartMathAnnotation, &Reader::EndMathAnnotation},
      {kChart, kContent, &Reader::StartChart, &Reader::EndChart},
      {kMetaText, kAnywhere, &Reader::StartMetaText, &Reader::EndMetaText},
  };
  static_assert(std::size(kRows) == static_cast<size_t>(kMetaText) + 1);
  static_assert(std::ranges::is_sorted(kRows, std::ranges::less_equal(), &Handler::element));

  static const Handler& Of(OdfElement element) { return kRows[static_cast<size_t>(element)]; }
};

OdfReader::OdfReader(MarkdownWriter* writer, std::function<OdfObject(std::string_view)> read_object)
    : read_object_(std::move(read_object)), output_(writer), nesting_(&styles_, &output_) {}

void OdfReader::Begin(bool common_styles_only) {
  common_styles_only_ = common_styles_only;
  is_document_ = false;
  section_ = Section::kNone;
  depth_ = 0;
  skipped_depth_ = 0;
  entered_.clear();
  captured_.open = formula_.open = in_chart_ = false;
  output_.Reset();
  nesting_.Reset();
}

bool OdfReader::Start(std::string_view name, std::span<const XmlAttribute> attributes) {
  ++depth_;
  if (skipped_depth_ > 0) {
    ++skipped_depth_;
    return true;
  }
  const OdfElement element = OdfElementOf(name);
  if (depth_ == 1) {
    is_document_ = element == OdfElement::kDocument;
    return is_document_;
  }
  switch (Enter({element, name, attributes})) {
    case Entry::kEntered:
      entered_.push_back({element, depth_});
      break;
    case Entry::kSkipped:
      skipped_depth_ = 1;
      break;
    case Entry::kTransparent:
      break;
  }
  return !output_.full();
}

bool OdfReader::End(std::string_view /*name*/) {
  if (skipped_depth_ > 0) {
    --skipped_depth_;
  } else if (!entered_.empty() && entered_.back().depth == depth_) {
    const Handler& handler = Handlers::Of(entered_.back().element);
    entered_.pop_back();
    (this->*handler.end)();
  }
  --depth_;
  return !output_.full();
}

bool OdfReader::Text(std::string_view text) {
  if (skipped_depth_ > 0) return true;
  if (captured_.open) {
    captured_.Append(text);
  } else if (formula_.open) {
    formula_.Append(text);
  } else if (nesting_.InParagraph()) {
    nesting_.AppendText(text);
  }
  return true;
}

OdfReader::Entry OdfReader::Enter(const Tag& tag) {
  using enum Handler::Where;
  const Handler& handler = Handlers::Of(tag.element);
  if (handler.start == nullptr) return Entry::kTransparent;
  if (handler.where != kAnywhere) {
    if (!InContent()) return Entry::kTransparent;
    const auto wrong = nesting_.InParagraph() ? kBlock : kInline;
    if (handler.where == wrong) return Entry::kTransparent;
  }
  return (this->*handler.start)(tag);
}

bool OdfReader::InContent() const {
  // Of the pages of a master only the headers and footers are read.
  if (section_ == Section::kMasters) return !nesting_.IsOutermost();
  return body() != OdfBodyKind::kNone;
}

void OdfReader::Captured::Begin() {
  open = true;
  text.clear();
}

void OdfReader::Captured::Append(std::string_view more) {
  if (text.size() < kMostOdfCapturedBytes) text.append(more);
}

std::string OdfReader::Captured::End() {
  open = false;
  return std::exchange(text, {});
}

void OdfReader::Formula::Append(std::string_view more) {
  if (symbols.size() < kMostOdfCapturedBytes) symbols.append(more).append(" ");
}

// Parts of the document, facts and styles.

OdfReader::Entry OdfReader::Skip(const Tag& /*tag*/) { return Entry::kSkipped; }

OdfReader::Entry OdfReader::StartMeta(const Tag& /*tag*/) {
  if (depth_ != 2) return Entry::kSkipped;  // of an embedded document
  section_ = Section::kMeta;
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartStyles(const Tag& tag) {
  // The automatic styles of styles.xml are those of headers and footers. Their names are used again
  // in content.xml, for other styles.
  const bool automatic = tag.element == OdfElement::kAutomaticStyles;
  if (depth_ != 2 || (automatic && common_styles_only_)) return Entry::kSkipped;
  section_ = Section::kStyles;
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartMasters(const Tag& /*tag*/) {
  if (depth_ != 2) return Entry::kSkipped;
  section_ = Section::kMasters;
  return Entry::kEntered;
}

void OdfReader::EndSection() { section_ = Section::kNone; }

OdfReader::Entry OdfReader::StartPageText(const Tag& /*tag*/) {
  if (section_ != Section::kMasters || !nesting_.IsOutermost()) return Entry::kTransparent;
  nesting_.StartPageText();
  return Entry::kEntered;
}

void OdfReader::EndPageHeader() { nesting_.EndPageText("header"); }

void OdfReader::EndPageFooter() { nesting_.EndPageText("footer"); }

OdfReader::Entry OdfReader::StartBody(const Tag& tag) {
  if (depth_ != 3 || body() != OdfBodyKind::kNone) return Entry::kTransparent;
  output_.BeginBody(tag.element == OdfElement::kTextBody           ? OdfBodyKind::kText
                    : tag.element == OdfElement::kPresentationBody ? OdfBodyKind::kSlides
                                                                   : OdfBodyKind::kSheets);
  return Entry::kEntered;
}

void OdfReader::EndBody() {
  nesting_.EndPart();
  const bool paged = body() == OdfBodyKind::kText;
  output_.EndBody(paged ? nesting_.page_texts() : std::span<const OdfBlock>());
}

OdfReader::Entry OdfReader::StartStyle(const Tag& tag) {
  if (section_ == Section::kStyles) styles_.Start(tag.element, tag.attributes);
  return Entry::kTransparent;
}

OdfReader::Entry OdfReader::StartMetaText(const Tag& tag) {
  if (section_ != Section::kMeta) return Entry::kTransparent;
  meta_name_ = tag.name;
  captured_.Begin();
  return Entry::kEntered;
}

void OdfReader::EndMetaText() { AddMeta(captured_.End()); }

OdfReader::Entry OdfReader::StartCreatorOrDate(const Tag& tag) {
  if (section_ == Section::kMeta) return StartMetaText(tag);
  if (!nesting_.InComment() || nesting_.InParagraph()) return Entry::kTransparent;
  captured_.Begin();
  return Entry::kEntered;
}

void OdfReader::EndCreator() {
  const std::string creator = captured_.End();
  if (section_ == Section::kMeta) return AddMeta(creator);
  nesting_.SetCreator(OneLine(creator));
}

void OdfReader::EndDate() {
  const std::string date = captured_.End();
  if (section_ == Section::kMeta) AddMeta(date);
}

void OdfReader::AddMeta(std::string_view text) {
  std::string line = OneLine(text);
  if (!line.empty()) facts_.push_back({std::string(meta_name_), std::move(line)});
}

// Blocks.

OdfReader::Entry OdfReader::StartParagraph(const Tag& tag) {
  // Not allowed there. The text joins the one around it.
  if (captured_.open || formula_.open) return Entry::kTransparent;
  constexpr int64_t kMostLevels = 6;
  const int level = tag.element == OdfElement::kHeading
                        ? static_cast<int>(std::min(tag.Count("text:outline-level"), kMostLevels))
                        : 0;
  nesting_.StartParagraph(level, tag.Attribute("text:style-name"));
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartList(const Tag& tag) {
  nesting_.StartList(tag.Attribute("text:style-name"),
                     tag.Attribute("text:continue-numbering") == "true");
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartListHeader(const Tag& /*tag*/) {
  if (!nesting_.InList()) return Entry::kTransparent;
  nesting_.StartListHeader();
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartItem(const Tag& tag) {
  if (!nesting_.InList()) return Entry::kTransparent;
  std::optional<int64_t> number;
  if (!tag.Attribute("text:start-value").empty()) number = tag.Count("text:start-value");
  nesting_.StartItem(number);
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartNumberedParagraph(const Tag& tag) {
  StartList(tag);
  return StartItem(tag);
}

OdfReader::Entry OdfReader::StartTable(const Tag& tag) {
  const std::string_view name = tag.Attribute("table:name");
  // The cells of another file that formulas refer to are kept as a sheet with such a name.
  const bool is_cache = nesting_.StartsSheet() && name.starts_with("'file:");
  // The table of a chart is its data, which the sheet has as well.
  if (in_chart_ || is_cache) return Entry::kSkipped;
  nesting_.StartTable(name, styles_.HidesSheet(tag.Attribute("table:style-name")));
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartRow(const Tag& tag) {
  if (!nesting_.InTable()) return Entry::kTransparent;
  nesting_.StartRow(tag.Count("table:number-rows-repeated"));
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartCell(const Tag& tag) {
  if (!nesting_.InTable()) return Entry::kTransparent;
  nesting_.StartCell(tag.Count("table:number-columns-repeated"), OdfShownValue(tag.attributes));
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartPage(const Tag& tag) {
  if (body() != OdfBodyKind::kSlides || !nesting_.IsOutermost() || output_.slide()->open()) {
    return Entry::kTransparent;
  }
  output_.BeginSlide(styles_.HidesSlide(tag.Attribute("draw:style-name")));
  return Entry::kEntered;
}

void OdfReader::EndPage() {
  nesting_.EndPart();
  output_.EndSlide();
}

OdfReader::Entry OdfReader::StartNotesPage(const Tag& /*tag*/) {
  const OdfSlide& slide = *output_.slide();
  if (!slide.open() || slide.in_notes() || !nesting_.IsOutermost()) return Entry::kTransparent;
  nesting_.EndPart();
  output_.slide()->SetNotes(true);
  return Entry::kEntered;
}

void OdfReader::EndNotesPage() {
  nesting_.EndPart();
  output_.slide()->SetNotes(false);
}

OdfReader::Entry OdfReader::StartShape(const Tag& tag) {
  const std::string_view role = tag.Attribute("presentation:class");
  if (role == "header" || role == "footer" || role == "date-time" || role == "page-number") {
    return Entry::kSkipped;
  }
  const OdfSlide& slide = *output_.slide();
  nesting_.StartShape(role == "title" && slide.open() && !slide.in_notes());
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartObject(const Tag& tag) {
  nesting_.AddObject(read_object_(tag.Attribute("xlink:href")));
  return Entry::kTransparent;
}

// In paragraphs.

OdfReader::Entry OdfReader::StartSpaces(const Tag& tag) {
  const int64_t count = std::min(tag.Count("text:c"), kMostOdfSpaces);
  nesting_.AppendExact(std::string(static_cast<size_t>(count), ' '));
  return Entry::kTransparent;
}

OdfReader::Entry OdfReader::StartTab(const Tag& /*tag*/) {
  nesting_.AppendExact("\t");
  return Entry::kTransparent;
}

OdfReader::Entry OdfReader::StartLineBreak(const Tag& /*tag*/) {
  nesting_.AppendExact("\n");
  return Entry::kTransparent;
}

OdfReader::Entry OdfReader::StartNote(const Tag& tag) {
  nesting_.StartNote(tag.Attribute("text:note-class") == "endnote", !captured_.open);
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartComment(const Tag& /*tag*/) {
  nesting_.StartComment();
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartRubyText(const Tag& /*tag*/) {
  nesting_.AppendExact("(");
  return Entry::kEntered;
}

OdfReader::Entry OdfReader::StartNumber(const Tag& /*tag*/) {
  // The number of a heading is a part of its text; that of an item is counted by its list.
  return nesting_.InParagraph() ? Entry::kEntered : Entry::kSkipped;
}

// Texts that belong to no paragraph.

OdfReader::Entry OdfReader::StartAlternativeText(const Tag& /*tag*/) {
  captured_.Begin();
  return Entry::kEntered;
}

void OdfReader::EndAlternativeText() { nesting_.AddAlternative(OneLine(captured_.End())); }

OdfReader::Entry OdfReader::StartMath(const Tag& /*tag*/) {
  formula_ = {};
  formula_.open = true;
  return Entry::kEntered;
}

void OdfReader::EndMath() {
  formula_.open = false;
  const bool annotated = !formula_.annotation.empty();
  nesting_.AddObject({OneLine(annotated ? formula_.annotation : formula_.symbols), true});
}

OdfReader::Entry OdfReader::StartMathAnnotation(const Tag& /*tag*/) {
  if (!formula_.open) return Entry::kTransparent;
  captured_.Begin();
  return Entry::kEntered;
}

void OdfReader::EndMathAnnotation() { formula_.annotation = captured_.End(); }

OdfReader::Entry OdfReader::StartChart(const Tag& /*tag*/) {
  if (in_chart_) return Entry::kTransparent;
  in_chart_ = true;
  return Entry::kEntered;
}

}  // namespace recall
