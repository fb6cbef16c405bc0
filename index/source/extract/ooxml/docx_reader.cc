// The problem: a DOCX file is a tree of paragraphs, tables and frames, with the state of revisions
// in between, and its notes, comments and headers are in parts of their own.
//
// The idea: the body is walked once. The number of the paragraph and the headings above it are the
// locator of its text. The notes, comments, text boxes, pictures and charts that a paragraph refers
// to follow it, with the same locator.
//
// Inside of a paragraph every element is entered unless it is known to have no text (properties,
// deleted runs, codes of fields), because files contain many wrappers.
//
// Cost: linear in the size of the parts. Recursion is as deep as elements may be nested.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/container/extract_failure.h"
#include "index/source/extract/markdown/markdown_writer.h"
#include "index/source/extract/ooxml/docx_alt_chunk.h"
#include "index/source/extract/ooxml/docx_numbering.h"
#include "index/source/extract/ooxml/drawing_text.h"
#include "index/source/extract/ooxml/ooxml.h"
#include "index/source/extract/ooxml/ooxml_package.h"

namespace recall {
namespace {

constexpr size_t kMaxDocxPathBytes = 160;

// Whether an element has no text of the document in it: properties, deleted text, codes of fields.
bool IsNoDocxText(std::string_view name) {
  static const std::unordered_set<std::string_view> kNames = {
      "w:pPr",         "w:rPr",        "w:del",          "w:moveFrom",   "w:instrText", "w:delText",
      "w:sdtPr",       "w:tblPr",      "w:delInstrText", "w:tblGrid",    "w:sdtEndPr",  "w:trPr",
      "w:tblPrEx",     "w:tcPr",       "w:sectPr",       "wp:posOffset", "wp:align",    "m:rPr",
      "w:customXmlPr", "w:smartTagPr", "w:ffData",       "w:fldData",    "m:ctrlPr"};
  return kNames.contains(name);
}

enum class DocxNote : uint8_t { kFootnote, kEndnote, kComment };

// The notes of one kind by their ids.
struct DocxNotes {
  XmlTree tree;
  std::unordered_map<std::string, XmlNode> by_id;
  std::vector<std::string> ids;  // in the order of the part
  std::unordered_set<std::string> used;
};

// The contents of a paragraph.
struct DocxInline {
  struct Note {
    DocxNote kind;
    std::string id;
    std::string mark;
  };
  std::string text;
  std::vector<Note> notes;
  std::vector<XmlNode> boxes;           // w:txbxContent
  std::vector<std::string> more_texts;  // of pictures and charts
};

// A text that is written later than it is found, after a paragraph or table, with the place of its
// reference.
struct DocxLater {
  Locator place;
  std::string text;
};

class DocxReader final {
 public:
  DocxReader(OoxmlPackage* package, const ExtractLimits& limits)
      : package_(*package), limits_(limits), writer_(limits) {}

  Result<Extraction> Read() {
    RECALL_ASSIGN(const std::string main, package_.MainPart());
    RECALL_ASSIGN(relations_, package_.RelationsOf(main));
    RECALL_ASSIGN(const XmlTree document, package_.ReadTree(main));
    if (document.root().name() != "w:document") {
      return Fail(Status::Unsupported("it is an Office document, but not a text document"));
    }
    RECALL_TRY(ReadParts());
    RECALL_TRY(Blocks(document.root().Child("w:body")));
    RECALL_TRY(RestOfNotes());
    RECALL_TRY(HeadersAndFooters());
    Extraction facts;
    RECALL_TRY(package_.ReadFacts(&facts));
    return writer_.Finish(std::move(facts));
  }

 private:
  Status ReadParts() {
    RECALL_ASSIGN(const auto styles, package_.ReadOptional(relations_.TargetOfType("styles")));
    if (styles) styles_ = DocxStyles(styles->root());
    RECALL_ASSIGN(const auto lists, package_.ReadOptional(relations_.TargetOfType("numbering")));
    if (lists) numbering_ = DocxNumbering(lists->root());
    for (const DocxNote kind : {DocxNote::kFootnote, DocxNote::kEndnote, DocxNote::kComment}) {
      const std::string_view type = kind == DocxNote::kFootnote  ? "footnotes"
                                    : kind == DocxNote::kEndnote ? "endnotes"
                                                                 : "comments";
      RECALL_ASSIGN(auto tree, package_.ReadOptional(relations_.TargetOfType(type)));
      if (!tree) continue;
      DocxNotes& notes = notes_[static_cast<size_t>(kind)];
      notes.tree = *std::move(tree);
      for (const XmlNode note : notes.tree.root().children()) {
        const std::string_view form = note.Attribute("w:type");
        if (!note.IsElement() || (!form.empty() && form != "normal")) continue;
        std::string id(note.Attribute("w:id"));
        if (notes.by_id.emplace(id, note).second) notes.ids.push_back(std::move(id));
      }
    }
    return {};
  }

  // Writes the paragraphs and tables in `parent`.
  Status Blocks(XmlNode parent) {
    for (const XmlNode child : parent.children()) {
      if (writer_.full()) return {};
      const std::string_view name = child.name();
      if (name == "w:p") {
        RECALL_TRY(Paragraph(child));
      } else if (name == "w:tbl") {
        RECALL_TRY(Table(child));
      } else if (name == "w:sectPr") {
        KeepSection(child);
      } else if (name == "mc:AlternateContent") {
        RECALL_TRY(Blocks(ChosenContent(child)));
      } else if (name == "w:altChunk") {
        RECALL_TRY(ImportedPart(relations_.TargetOfId(child.Attribute("r:id"))));
      } else if (child.IsElement() && !IsNoDocxText(name)) {
        RECALL_TRY(Blocks(child));
      }
    }
    return {};
  }

  // A part in another format, which is a paragraph of the document, whatever it has.
  Status ImportedPart(const std::string& part) {
    ++number_;
    writer_.SetLocator(Place());
    const auto bytes = package_.container().Read(part);
    if (!bytes) return package_.Excuse(bytes.error());
    const Status written = WriteAltChunk(part, *bytes, limits_, &writer_);
    return written.ok() ? written : package_.Excuse(written);
  }

  Status Paragraph(XmlNode paragraph) {
    ++number_;
    const XmlNode properties = paragraph.Child("w:pPr");
    KeepSection(properties.Child("w:sectPr"));
    DocxInline content;
    RECALL_TRY(Collect(paragraph, &content));
    const std::string_view style_id = properties.Child("w:pStyle").Attribute("w:val");
    const DocxStyle& style = StyleOf(style_id);
    int heading = style.heading;
    if (const auto outline = ShortNumber(properties.Child("w:outlineLvl").Attribute("w:val"))) {
      heading = *outline < 9 ? static_cast<int>(*outline) + 1 : 0;
    }
    const std::string marker = MarkerOf(properties, style, style_id, content.text);
    if (heading > 0 && !OneLine(content.text).empty()) {
      // The number of a heading is a part of it: "2.1 Costs".
      if (!marker.empty() && marker != "-") content.text.insert(0, marker + " ");
      EnterHeading(heading, content.text);
      writer_.SetLocator(Place());
      writer_.Heading(heading, content.text);
    } else {
      writer_.SetLocator(Place());
      if (marker.empty()) {
        writer_.Paragraph(content.text);
      } else if (IsMarkdownMarker(marker)) {
        writer_.ListItem(list_level_, marker, content.text);
      } else {
        writer_.ListItem(list_level_, "-", marker + " " + content.text);
      }
    }
    std::vector<DocxLater> later;
    RECALL_TRY(Follow(content, &later));
    WriteLater(later);
    return {};
  }

  static bool IsMarkdownMarker(std::string_view marker) {
    if (marker == "-") return true;
    const std::string_view digits = marker.substr(0, marker.size() - 1);
    return (marker.ends_with('.') || marker.ends_with(')')) && !digits.empty() &&
           digits.size() <= 9 && digits.find_first_not_of("0123456789") == digits.npos;
  }

  // Returns the marker of an item of a list, and sets list_level_; "" if the paragraph is in no
  // list.
  std::string MarkerOf(XmlNode properties, const DocxStyle& style, std::string_view style_id,
                       std::string_view text) {
    std::string list = style.list;
    list_level_ = style.list_level;
    if (!list.empty()) {
      const int level = numbering_.LevelOfStyle(list, style_id);
      if (level >= 0) list_level_ = level;
    }
    if (const XmlNode own = properties.Child("w:numPr")) {
      if (const XmlNode id = own.Child("w:numId")) list = id.Attribute("w:val");
      if (const auto level = ShortNumber(own.Child("w:ilvl").Attribute("w:val"))) {
        list_level_ = static_cast<int>(std::min<int64_t>(*level, 8));
      }
    }
    if (list.empty() || list == "0" || OneLine(text).empty()) return {};
    return numbering_.Next(list, list_level_);
  }

  const DocxStyle& StyleOf(std::string_view id) {
    const auto [found, is_new] = known_styles_.try_emplace(std::string(id));
    if (is_new) found->second = styles_.Find(id);
    return found->second;
  }

  void EnterHeading(int level, std::string_view title) {
    while (!headings_.empty() && headings_.back().first >= level) headings_.pop_back();
    headings_.emplace_back(level, OneLine(title.substr(0, kMaxDocxPathBytes * 2)));
    path_.clear();
    for (const auto& [unused, name] : headings_) {
      if (!path_.empty()) path_ += " > ";
      path_ += name;
    }
    if (path_.size() > kMaxDocxPathBytes) {
      path_.resize(FloorToCharacter(path_, kMaxDocxPathBytes));
    }
  }

  Locator Place() const { return {LocatorKind::kParagraph, number_, path_, ""}; }

  // Appends the texts in `root`, and the references of notes and boxes.
  Status Collect(XmlNode root, DocxInline* content) {
    for (XmlNode node = root; node;) {
      bool skip = true;
      const std::string_view name = node.name();
      if (name == "w:t" || name == "m:t") {
        content->text += node.TextContent();
      } else if (name == "w:tab" || name == "w:ptab") {
        content->text += '\t';
      } else if (name == "w:br" || name == "w:cr") {
        content->text += '\n';
      } else if (name == "w:noBreakHyphen") {
        content->text += '-';
      } else if (name == "w:sym") {
        AppendSymbol(node.Attribute("w:char"), &content->text);
      } else if (name == "w:footnoteReference" || name == "w:endnoteReference" ||
                 name == "w:commentReference") {
        Refer(node, content);
      } else if (name == "w:ruby") {
        RECALL_TRY(Collect(node.Child("w:rubyBase"), content));
        DocxInline reading;
        RECALL_TRY(Collect(node.Child("w:rt"), &reading));
        if (!reading.text.empty()) content->text.append("(").append(reading.text).append(")");
      } else if (name == "w:txbxContent") {
        content->boxes.push_back(node);
      } else if (name == "mc:AlternateContent") {
        RECALL_TRY(Collect(ChosenContent(node), content));
      } else if (!IsNoDocxText(name) || node == root) {
        skip = false;
        if (name == "wp:docPr" || name == "v:shape") AddAlternative(node, content);
        if ((name == "c:chart" && node.HasAttribute("r:id")) || name == "dgm:relIds") {
          RECALL_ASSIGN(const auto texts, GraphicTexts(&package_, node, relations_));
          content->more_texts.insert(content->more_texts.end(), texts.begin(), texts.end());
        }
      }
      node = node.NextInDocument(root, skip);
    }
    return {};
  }

  static void AddAlternative(XmlNode node, DocxInline* content) {
    std::string_view text = node.Attribute(node.name() == "v:shape" ? "alt" : "descr");
    if (text.empty()) text = node.Attribute("title");
    if (!text.empty()) content->more_texts.emplace_back(text);
  }

  // Appends a character of a symbol font. Characters of the private use area are left out, because
  // they have no meaning without the font.
  static void AppendSymbol(std::string_view hex, std::string* text) {
    uint32_t code = 0;
    if (hex.size() != 4) return;
    for (const char c : hex) {
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                               : -1;
      if (digit < 0) return;
      code = code * 16 + static_cast<uint32_t>(digit);
    }
    if (code >= 0x20 && code < 0xd800) AppendUtf8(code, text);
  }

  void Refer(XmlNode node, DocxInline* content) {
    const DocxNote kind = node.name() == "w:footnoteReference"  ? DocxNote::kFootnote
                          : node.name() == "w:endnoteReference" ? DocxNote::kEndnote
                                                                : DocxNote::kComment;
    DocxNotes& notes = notes_[static_cast<size_t>(kind)];
    std::string id(node.Attribute("w:id"));
    if (!notes.by_id.contains(id) || !notes.used.insert(id).second) return;
    std::string mark;
    if (kind != DocxNote::kComment) {
      const auto number = static_cast<int64_t>(notes.used.size());
      mark = "[" + ListNumber(number, kind == DocxNote::kEndnote ? "lowerRoman" : "decimal") + "]";
      content->text += mark;
    }
    content->notes.push_back({kind, std::move(id), std::move(mark)});
  }

  // Appends the text of a note, a box or a header, with its paragraphs as lines. Boxes and texts of
  // pictures in a paragraph follow it.
  Status TextOf(XmlNode root, std::string* text) {
    for (XmlNode node = root; node;) {
      bool skip = true;
      if (node.name() == "w:p") {
        DocxInline content;
        RECALL_TRY(Collect(node, &content));
        AppendLine(content.text, text);
        RECALL_TRY(AppendMore(content, text));
      } else if (node.name() == "mc:AlternateContent") {
        RECALL_TRY(TextOf(ChosenContent(node), text));
      } else {
        skip = IsNoDocxText(node.name());
      }
      node = node.NextInDocument(root, skip);
    }
    return {};
  }

  static void AppendLine(std::string_view line, std::string* text) {
    if (line.empty()) return;
    if (!text->empty()) *text += '\n';
    *text += line;
  }

  Status AppendMore(const DocxInline& content, std::string* text) {
    for (const std::string& more : content.more_texts) AppendLine(more, text);
    for (const XmlNode box : content.boxes) {
      std::string inner;
      RECALL_TRY(TextOf(box, &inner));
      AppendLine(inner, text);
    }
    return {};
  }

  Status NoteText(DocxNote kind, const std::string& id, std::string_view mark, std::string* text) {
    const XmlNode note = notes_[static_cast<size_t>(kind)].by_id[id];
    std::string inner;
    RECALL_TRY(TextOf(note, &inner));
    if (OneLine(inner).empty()) return {};
    if (kind == DocxNote::kComment) {
      const std::string author = OneLine(note.Attribute("w:author"));
      *text = "Comment" + (author.empty() ? "" : " (" + author + ")") + ": ";
    } else if (!mark.empty()) {
      text->append(mark).append(" ");
    }
    while (inner.starts_with(' ') || inner.starts_with('\t')) inner.erase(0, 1);
    *text += inner;
    return {};
  }

  // Collects the texts that follow a paragraph, with its place.
  Status Follow(const DocxInline& content, std::vector<DocxLater>* later) {
    for (const std::string& text : content.more_texts) later->push_back({Place(), text});
    for (const XmlNode box : content.boxes) {
      std::string text;
      RECALL_TRY(TextOf(box, &text));
      later->push_back({Place(), std::move(text)});
    }
    for (const DocxInline::Note& note : content.notes) {
      std::string text;
      RECALL_TRY(NoteText(note.kind, note.id, note.mark, &text));
      later->push_back({Place(), std::move(text)});
    }
    return {};
  }

  void WriteLater(const std::vector<DocxLater>& later) {
    for (const DocxLater& block : later) {
      writer_.SetLocator(block.place);
      writer_.Paragraph(block.text);
    }
  }

  // Finds the elements with this name in `root`, also inside of wrappers, but not inside of
  // elements called `stop`.
  static void Find(XmlNode root, std::string_view wanted, std::string_view stop,
                   std::vector<XmlNode>* found) {
    for (XmlNode node = root.NextInDocument(root); node;) {
      const std::string_view name = node.name();
      if (name == wanted) found->push_back(node);
      node = node.NextInDocument(root, name == wanted || name == stop || IsNoDocxText(name));
    }
  }

  // Returns the cells of each row, without those that are deleted.
  static std::vector<std::vector<XmlNode>> CellsOf(XmlNode table) {
    std::vector<XmlNode> rows;
    Find(table, "w:tr", "w:p", &rows);
    std::erase_if(rows, [](XmlNode row) { return bool(row.Child("w:trPr").Child("w:del")); });
    std::vector<std::vector<XmlNode>> cells(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      Find(rows[i], "w:tc", "w:p", &cells[i]);
      std::erase_if(cells[i],
                    [](XmlNode cell) { return bool(cell.Child("w:tcPr").Child("w:cellDel")); });
    }
    return cells;
  }

  Status Table(XmlNode table) {
    const std::vector<std::vector<XmlNode>> rows = CellsOf(table);
    const bool one_column =
        std::ranges::all_of(rows, [](const auto& cells) { return cells.size() <= 1; });
    writer_.EndBlock();
    std::vector<DocxLater> later;
    for (const std::vector<XmlNode>& cells : rows) {
      if (writer_.full()) return {};
      // A table of one column is used as a frame, so its paragraphs are written as if it were not
      // there.
      if (one_column) {
        for (const XmlNode cell : cells) RECALL_TRY(Blocks(cell));
      } else {
        RECALL_TRY(Row(cells, &later));
      }
    }
    writer_.EndBlock();
    WriteLater(later);
    return {};
  }

  Status Row(const std::vector<XmlNode>& cells, std::vector<DocxLater>* later) {
    const int64_t before = number_;
    std::vector<std::string> texts;
    Locator place = Place();
    for (const XmlNode cell : cells) {
      std::string text;
      RECALL_TRY(CellText(cell, &text, later));
      texts.push_back(std::move(text));
      const auto span =
          ShortNumber(cell.Child("w:tcPr").Child("w:gridSpan").Attribute("w:val")).value_or(1);
      for (int64_t i = 1; i < std::min<int64_t>(span, 64); ++i) texts.emplace_back();
    }
    place.number = std::min(before + 1, std::max<int64_t>(number_, 1));
    writer_.SetLocator(std::move(place));
    writer_.Row(texts);
    return {};
  }

  Status CellText(XmlNode root, std::string* text, std::vector<DocxLater>* later) {
    for (XmlNode node = root; node;) {
      bool skip = true;
      if (node.name() == "w:p") {
        ++number_;
        DocxInline content;
        RECALL_TRY(Collect(node, &content));
        AppendLine(content.text, text);
        RECALL_TRY(Follow(content, later));
      } else if (node.name() == "mc:AlternateContent") {
        RECALL_TRY(CellText(ChosenContent(node), text, later));
      } else {
        skip = IsNoDocxText(node.name());
      }
      node = node.NextInDocument(root, skip);
    }
    return {};
  }

  void KeepSection(XmlNode section) {
    for (const XmlNode child : section.children()) {
      const bool header = child.name() == "w:headerReference";
      if (!header && child.name() != "w:footerReference") continue;
      std::string part = relations_.TargetOfId(child.Attribute("r:id"));
      if (part.empty() || !margin_parts_.insert(part).second) continue;
      (header ? headers_ : footers_).push_back(std::move(part));
    }
  }

  // Writes the notes that no paragraph refers to, without a place.
  Status RestOfNotes() {
    writer_.ClearLocator();
    for (const DocxNote kind : {DocxNote::kFootnote, DocxNote::kEndnote, DocxNote::kComment}) {
      DocxNotes& notes = notes_[static_cast<size_t>(kind)];
      for (const std::string& id : notes.ids) {
        if (writer_.full()) return {};
        if (notes.used.contains(id)) continue;
        std::string text;
        RECALL_TRY(NoteText(kind, id, "", &text));
        writer_.Paragraph(text);
      }
    }
    return {};
  }

  Status HeadersAndFooters() {
    std::unordered_set<std::string> seen;
    for (const bool header : {true, false}) {
      for (const std::string& part : header ? headers_ : footers_) {
        if (writer_.full()) return {};
        RECALL_ASSIGN(const auto tree, package_.ReadOptional(part));
        if (!tree) continue;
        Result<OoxmlRelations> relations = package_.RelationsOf(part);
        if (!relations) {
          RECALL_TRY(package_.Excuse(relations.error()));
          continue;
        }
        relations_ = *std::move(relations);
        std::string text;
        RECALL_TRY(TextOf(tree->root(), &text));
        if (!seen.insert(OneLine(text)).second) continue;
        writer_.SetLocator({LocatorKind::kParagraph, 0, "", header ? "header" : "footer"});
        writer_.Paragraph(text);
      }
    }
    return {};
  }

  OoxmlPackage& package_;
  const ExtractLimits limits_;
  MarkdownWriter writer_;
  OoxmlRelations relations_;
  DocxStyles styles_;
  DocxNumbering numbering_;
  DocxNotes notes_[3];
  std::unordered_map<std::string, DocxStyle> known_styles_;
  int64_t number_ = 0;  // of paragraphs so far
  int list_level_ = 0;
  std::vector<std::pair<int, std::string>> headings_;
  std::string path_;
  std::unordered_set<std::string> margin_parts_;
  std::vector<std::string> headers_;
  std::vector<std::string> footers_;
};

}  // namespace

Extraction ExtractDocx(std::string_view bytes, const ExtractLimits& limits) {
  Result<OoxmlPackage> package = OoxmlPackage::Open(bytes, limits);
  if (!package) return FailedExtractionOf(package.error());
  DocxReader reader(&*package, limits);
  Result<Extraction> extraction = reader.Read();
  if (!extraction) return FailedExtractionOf(extraction.error());
  return *std::move(extraction);
}

}  // namespace recall
