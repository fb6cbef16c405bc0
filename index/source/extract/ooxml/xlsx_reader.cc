// The problem: sheets are large, up to a million rows, and a cell is only an index into the shared
// strings or a number, which a style shows as a date, a percentage or an amount.
//
// Shared strings are kept in one piece of memory. Sheets are streamed: no tree is built, and the
// rows of one block are held. Formats are parsed once for each style. Linear in the size of the
// parts.

#include <algorithm>
#include <charconv>
#include <memory>
#include <unordered_map>
#include <utility>

#include "index/source/extract/container/extract_failure.h"
#include "index/source/extract/markdown/markdown_writer.h"
#include "index/source/extract/markdown/number_format.h"
#include "index/source/extract/markdown/sheet_writer.h"
#include "index/source/extract/ooxml/drawing_text.h"
#include "index/source/extract/ooxml/ooxml.h"
#include "index/source/extract/ooxml/ooxml_package.h"
#include "storage/base/from_chars.h"

namespace recall {
namespace {

constexpr uint64_t kMostStringBytes = 256 << 20;

std::string_view AttributeIn(std::span<const XmlAttribute> attributes, std::string_view name) {
  for (const XmlAttribute& attribute : attributes) {
    if (attribute.name == name) return attribute.value;
  }
  return {};
}

// Decodes "_x000D_", by which a text contains a character that XML cannot contain.
std::string WithoutEscapes(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view escape = text.substr(i, 7);
    unsigned code = 0;
    if (escape.size() == 7 && escape.starts_with("_x") && escape[6] == '_') {
      const auto read = std::from_chars(escape.data() + 2, escape.data() + 6, code, 16);
      if (read.ec == std::errc() && read.ptr == escape.data() + 6 && code < 0x80) {
        plain += code < 0x20 && code != '\t' ? '\n' : static_cast<char>(code);
        i += 6;
        continue;
      }
    }
    plain += text[i];
  }
  return plain;
}

// The strings of xl/sharedStrings.xml.
class SharedStrings final : public XmlHandler {
 public:
  bool too_large() const { return too_large_; }

  std::string_view Get(size_t index) const {
    if (index >= ends_.size()) return {};
    const uint64_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(texts_).substr(begin, ends_[index] - begin);
  }

  bool Start(std::string_view name, std::span<const XmlAttribute>) override {
    if (name == "x:rPh") ++phonetic_;
    if (name == "x:t") in_text_ = phonetic_ == 0;
    return true;
  }
  bool End(std::string_view name) override {
    if (name == "x:rPh") --phonetic_;
    if (name == "x:t") in_text_ = false;
    if (name == "x:si") {
      // The string is cleaned once here, because it may be in many cells.
      const uint64_t begin = ends_.empty() ? 0 : ends_.back();
      const std::string line = OneLine(WithoutEscapes(std::string_view(texts_).substr(begin)));
      texts_.resize(begin);
      texts_ += line;
      ends_.push_back(texts_.size());
    }
    too_large_ = texts_.size() + ends_.size() * sizeof(uint64_t) > kMostStringBytes;
    return !too_large_;
  }
  bool Text(std::string_view text) override {
    if (in_text_) texts_ += text;
    return true;
  }

 private:
  std::string texts_;
  std::vector<uint64_t> ends_;
  int phonetic_ = 0;
  bool in_text_ = false;
  bool too_large_ = false;
};

// The formats by which the numbers of each style are shown.
class CellStyles final {
 public:
  CellStyles() = default;
  explicit CellStyles(XmlNode styles) {
    std::unordered_map<int64_t, std::string> codes;
    for (const XmlNode format : styles.Child("x:numFmts").children()) {
      if (const auto id = ShortNumber(format.Attribute("numFmtId"))) {
        codes.emplace(*id, format.Attribute("formatCode"));
      }
    }
    std::unordered_map<int64_t, std::shared_ptr<const NumberFormat>> formats;
    for (const XmlNode style : styles.Child("x:cellXfs").children()) {
      if (style.name() != "x:xf") continue;
      const int64_t id = ShortNumber(style.Attribute("numFmtId")).value_or(0);
      std::shared_ptr<const NumberFormat>& format = formats[id];
      if (format == nullptr) {
        const auto code = codes.find(id);
        format = std::make_shared<const NumberFormat>(
            code != codes.end() ? code->second : NumberFormat::BuiltIn(id));
      }
      styles_.push_back(format);
    }
  }

  std::string Show(double value, size_t style, bool from_1904) const {
    if (style >= styles_.size()) return PlainNumber(value);
    return styles_[style]->Text(value, from_1904);
  }

 private:
  std::vector<std::shared_ptr<const NumberFormat>> styles_;
};

// Writes the cells of a worksheet.
class WorksheetHandler final : public XmlHandler {
 public:
  WorksheetHandler(const SharedStrings& strings, const CellStyles& styles, bool from_1904,
                   const MarkdownWriter& writer, SheetWriter* sheet)
      : strings_(strings),
        styles_(styles),
        from_1904_(from_1904),
        writer_(writer),
        sheet_(*sheet) {}

  bool Start(std::string_view name, std::span<const XmlAttribute> attributes) override {
    if (name == "x:c") {
      value_.clear();
      type_ = AttributeIn(attributes, "t");
      style_ = static_cast<size_t>(ShortNumber(AttributeIn(attributes, "s")).value_or(0));
      const auto place = ParseCellPlace(AttributeIn(attributes, "r"));
      column_ = place ? place->column : column_ + 1;
    } else if (name == "x:row") {
      row_ = ShortNumber(AttributeIn(attributes, "r")).value_or(row_ + 1);
      column_ = 0;
      sheet_.BeginRow(row_);
    } else if (name == "x:rPh") {
      ++phonetic_;
    } else if (name == "x:v" || name == "x:t") {
      in_value_ = phonetic_ == 0;
    }
    return true;
  }

  bool End(std::string_view name) override {
    if (name == "x:c") {
      Cell();
    } else if (name == "x:rPh") {
      --phonetic_;
    } else if (name == "x:v" || name == "x:t") {
      in_value_ = false;
    }
    return !writer_.full();
  }

  bool Text(std::string_view text) override {
    if (in_value_) value_ += text;
    return true;
  }

 private:
  void Cell() {
    if (value_.empty()) return;
    if (type_ == "s") {
      if (const auto index = ShortNumber(value_)) {
        Write(strings_.Get(static_cast<size_t>(*index)));
      }
    } else if (type_ == "b") {
      Write(IsOn(value_, false) ? "TRUE" : "FALSE");
    } else if (type_.empty() || type_ == "n") {
      double number = 0;
      const char* const end = value_.data() + value_.size();
      const char* const begin = value_.data() + (value_.starts_with('+') ? 1 : 0);
      const auto read = FromChars(begin, end, number);
      Write(read.ec == std::errc() && read.ptr == end ? styles_.Show(number, style_, from_1904_)
                                                      : value_);
    } else {
      Write(value_);  // "str", "inlineStr", "e", "d"
    }
  }

  void Write(std::string_view text) {
    if (text.find("_x") == text.npos) {
      sheet_.Cell(column_, text);
    } else {
      sheet_.Cell(column_, WithoutEscapes(text));
    }
  }

  const SharedStrings& strings_;
  const CellStyles& styles_;
  bool from_1904_;
  const MarkdownWriter& writer_;
  SheetWriter& sheet_;
  std::string type_;
  std::string value_;
  size_t style_ = 0;
  int64_t row_ = 0;
  int64_t column_ = 0;
  int phonetic_ = 0;
  bool in_value_ = false;
};

class XlsxReader final {
 public:
  XlsxReader(OoxmlPackage* package, const ExtractLimits& limits)
      : package_(*package), writer_(limits) {}

  Result<Extraction> Read() {
    RECALL_ASSIGN(const std::string main, package_.MainPart());
    if (main.ends_with(".bin")) {
      return Fail(Status::Unsupported("it is a workbook in the binary form, .xlsb"));
    }
    RECALL_ASSIGN(relations_, package_.RelationsOf(main));
    RECALL_ASSIGN(const XmlTree workbook, package_.ReadTree(main));
    if (workbook.root().name() != "x:workbook") {
      return Fail(Status::Unsupported("it is an Office document, but not a workbook"));
    }
    from_1904_ = IsOn(workbook.root().Child("x:workbookPr").Attribute("date1904"), false);
    RECALL_ASSIGN(const auto styles, package_.ReadOptional(relations_.TargetOfType("styles")));
    if (styles) styles_ = CellStyles(styles->root());
    if (const auto part = relations_.TargetOfType("sharedStrings"); !part.empty()) {
      RECALL_TRY(package_.ReadStream(part, &strings_));
      if (strings_.too_large()) {
        return Fail(Status::LimitExceeded("its shared strings take too much memory"));
      }
    }
    int64_t number = 0;
    for (const XmlNode sheet : workbook.root().Child("x:sheets").children()) {
      if (sheet.name() != "x:sheet") continue;
      ++number;
      if (writer_.full()) break;
      RECALL_TRY(Sheet(number, sheet));
    }
    if (read_sheets_ == 0 && !first_error_.ok()) return Fail(first_error_);
    Extraction facts;
    RECALL_TRY(package_.ReadFacts(&facts));
    return writer_.Finish(std::move(facts));
  }

 private:
  // One damaged sheet does not lose the others.
  Status LeaveOut(const Status& error) {
    if (first_error_.ok()) first_error_ = error;
    return package_.Excuse(error);
  }

  Status Sheet(int64_t number, XmlNode entry) {
    const std::string name = OneLine(entry.Attribute("name"));
    const std::string part = relations_.TargetOfId(entry.Attribute("r:id"));
    if (part.empty()) {
      return LeaveOut(Status::Corruption("sheet " + std::to_string(number) + " is missing"));
    }
    const std::string_view state = entry.Attribute("state");
    const bool hidden = state == "hidden" || state == "veryHidden";
    SheetWriter sheet(&writer_, number, name, name + (hidden ? " (hidden)" : ""));
    WorksheetHandler handler(strings_, styles_, from_1904_, writer_, &sheet);
    // A sheet that is a chart has no cells.
    const Status read = package_.ReadStream(part, &handler);
    if (!read.ok()) {
      sheet.Finish();  // what came before the damage
      return LeaveOut(read);
    }
    ++read_sheets_;
    sheet.Finish();
    Result<OoxmlRelations> relations = package_.RelationsOf(part);
    if (!relations) return package_.Excuse(relations.error());
    for (const OoxmlRelation& relation : relations->all()) {
      if (relation.type == "comments") RECALL_TRY(Comments(number, name, relation.target, &sheet));
      if (relation.type == "drawing") RECALL_TRY(Drawing(number, name, relation.target, &sheet));
    }
    return {};
  }

  Status Comments(int64_t number, const std::string& name, const std::string& part,
                  SheetWriter* sheet) {
    RECALL_ASSIGN(const auto tree, package_.ReadOptional(part));
    if (!tree) return {};
    std::vector<std::string> authors;
    for (const XmlNode author : tree->root().Child("x:authors").children()) {
      if (author.IsElement()) authors.push_back(OneLine(author.TextContent()));
    }
    for (const XmlNode comment : tree->root().Child("x:commentList").children()) {
      if (!comment.IsElement() || writer_.full()) continue;
      const std::string text = comment.Child("x:text").TextContent();
      const auto cell = ParseCellPlace(comment.Attribute("ref"));
      if (OneLine(text).empty()) continue;
      const auto author =
          static_cast<size_t>(ShortNumber(comment.Attribute("authorId")).value_or(0));
      std::string head = "Comment";
      if (author < authors.size() && !authors[author].empty()) head += " (" + authors[author] + ")";
      std::string range;
      if (cell) range = ColumnName(cell->column) + std::to_string(cell->row);
      sheet->WriteHeading();
      writer_.SetLocator({LocatorKind::kSheet, number, name, std::move(range)});
      writer_.Paragraph(head + ": " + text);
    }
    return {};
  }

  // Writes the texts of shapes, the alternative texts of pictures, and the texts of charts.
  Status Drawing(int64_t number, const std::string& name, const std::string& part,
                 SheetWriter* sheet) {
    RECALL_ASSIGN(const auto tree, package_.ReadOptional(part));
    if (!tree) return {};
    Result<OoxmlRelations> relations = package_.RelationsOf(part);
    if (!relations) return package_.Excuse(relations.error());
    for (const XmlNode anchor : tree->root().children()) {
      std::vector<std::string> texts;
      for (XmlNode node = anchor; node; node = node.NextInDocument(anchor)) {
        if (node.name() == "xdr:cNvPr") texts.emplace_back(node.Attribute("descr"));
      }
      for (std::string& text : DrawingParagraphs(anchor)) texts.push_back(std::move(text));
      RECALL_ASSIGN(auto more, GraphicTexts(&package_, anchor, *relations));
      texts.insert(texts.end(), more.begin(), more.end());
      const XmlNode from = anchor.Child("xdr:from");
      const auto row = ShortNumber(from.Child("xdr:row").TextContent());
      const auto column = ShortNumber(from.Child("xdr:col").TextContent());
      std::string range;
      if (row && column) range = ColumnName(*column + 1) + std::to_string(*row + 1);
      for (const std::string& text : texts) {
        if (OneLine(text).empty()) continue;
        sheet->WriteHeading();
        writer_.SetLocator({LocatorKind::kSheet, number, name, range});
        writer_.Paragraph(text);
      }
    }
    return {};
  }

  OoxmlPackage& package_;
  MarkdownWriter writer_;
  OoxmlRelations relations_;
  SharedStrings strings_;
  CellStyles styles_;
  bool from_1904_ = false;
  size_t read_sheets_ = 0;
  Status first_error_;  // of a sheet
};

}  // namespace

Extraction ExtractXlsx(std::string_view bytes, const ExtractLimits& limits) {
  Result<OoxmlPackage> package = OoxmlPackage::Open(bytes, limits);
  if (!package) return FailedExtractionOf(package.error());
  XlsxReader reader(&*package, limits);
  Result<Extraction> extraction = reader.Read();
  if (!extraction) return FailedExtractionOf(extraction.error());
  return *std::move(extraction);
}

}  // namespace recall
