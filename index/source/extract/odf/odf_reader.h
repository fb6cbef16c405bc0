#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/source/extract/container/xml_events.h"
#include "index/source/extract/markdown/markdown_writer.h"
#include "index/source/extract/markdown/sheet_writer.h"
#include "index/source/extract/odf/odf_names.h"
#include "index/source/extract/odf/odf_styles.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// What an embedded object says, on one line.
struct OdfObject {
  std::string text;
  bool formula = false;  // it is a part of the sentence that it is in
};

// Reads the XML documents of an OpenDocument file, in this order: meta.xml, styles.xml,
// content.xml; a flat file is all of them in one.
class OdfReader final : public XmlHandler {
 public:
  enum class Body : uint8_t { kNone, kText, kSlides, kSheets };

  // `read_object` returns an embedded object by its reference, "./Object 1". The writer must
  // outlive the reader.
  OdfReader(MarkdownWriter* writer, std::function<OdfObject(std::string_view)> read_object);

  // Before each document. part: of which only the common styles are read, for styles.xml.
  void Begin(bool common_styles_only);

  bool Start(std::string_view name, std::span<const XmlAttribute> attributes) override;
  bool End(std::string_view name) override;
  bool Text(std::string_view text) override;

  // What the document is. kNone: no body that is read was found.
  Body body() const { return body_; }
  // Whether the root of the last document is one of ODF.
  bool is_document() const { return is_document_; }
  // The facts about the document, by the names of their elements: "dc:title", in their order.
  const std::vector<std::pair<std::string, std::string>>& facts() const { return facts_; }

 private:
  // An open element that is not transparent.
  struct Open {
    OdfElement element;
    int depth;
  };
  struct Block {
    enum class Kind : uint8_t { kHeading, kParagraph, kItem, kCode, kRow, kGap };
    Kind kind = Kind::kParagraph;
    int level = 0;
    int64_t paragraph = 0;
    std::string marker;  // of an item
    std::string text;
    std::string range;               // the cell it belongs to; "header" or "footer" of pages
    std::vector<std::string> cells;  // of a row
  };
  struct Paragraph {
    std::string text;
    int level = 0;  // of a heading; 0: it is none
    bool code = false;
    bool collapses = true;  // white space that follows is left out
    int64_t number = 0;
  };
  struct List {
    std::string style;
    bool numbered = false;
    int64_t count = 0;
    bool marker_due = false;  // the open item has not begun
  };
  struct Table {
    std::vector<std::string> cells;  // of the open row; the last one is not empty
    int64_t empty_cells = 0;         // that follow them
    int64_t repeat = 1;              // of the open row
    int64_t paragraph = 0;           // the first of the open row
  };
  // What blocks are in: the document, a cell, a note, a comment, a shape, a header of pages.
  struct Container {
    enum class Kind : uint8_t { kBody, kCell, kNote, kComment, kShape, kPageText };
    Kind kind = Kind::kBody;
    bool title = false;         // a shape that has the title of a slide
    int64_t repeat = 1;         // of a cell
    std::string text;           // of a cell, note or comment
    std::string value;          // of a cell: what to show if it has no text
    std::string creator, date;  // of a comment
    std::string mark;           // of a note: "[1]"
    std::string alternative;    // of a shape: its title and description
    size_t paragraphs = 0;      // the open ones outside
    std::vector<List> lists;
    std::vector<Table> tables;
    std::optional<Block> item;  // an open item that has a text
  };

  // Whether its paragraphs do not count.
  static bool IsAside(Container::Kind kind) {
    return kind == Container::Kind::kNote || kind == Container::Kind::kComment ||
           kind == Container::Kind::kPageText;
  }

  void StartElement(OdfElement element, std::string_view name,
                    std::span<const XmlAttribute> attributes);
  void EndElement(OdfElement element);

  void StartParagraph(OdfElement element, std::span<const XmlAttribute> attributes);
  void EndParagraph();
  void StartList(std::span<const XmlAttribute> attributes);
  void StartItem(std::span<const XmlAttribute> attributes, bool header);
  void EndItem();
  void StartTable(std::span<const XmlAttribute> attributes);
  void StartRow(std::span<const XmlAttribute> attributes);
  void EndRow();
  void StartCell(std::span<const XmlAttribute> attributes);
  void EndCell();
  void StartPage(std::span<const XmlAttribute> attributes);
  void EndPage();
  void EndSheet();
  void StartContainer(Container::Kind kind);
  void PopContainer();
  void EndContainer();
  void EndPageText(std::string_view range);
  void WritePageTexts();
  void PutAlternative(Container* container);
  void PutObject(OdfObject object);
  void AddMeta(std::string text);

  void AppendText(std::string_view text);
  void AppendExact(std::string_view text);
  void Capture();
  std::string EndCapture();

  // Whether the next table is a sheet; whether rows belong to the open sheet, or to any table.
  bool IsSheet() const;
  bool IsSheetTable() const;
  bool InTable() const;
  bool InParagraph() const { return paragraphs_.size() > containers_.back().paragraphs; }
  // The block belongs where the reader is: in the text of a cell or note, or in the document.
  void Emit(Block block);
  void EmitGap();
  // The block follows what is being written.
  void Defer(Block block);
  void EndOpenItem(Container* container);
  void WriteSlide();
  void FlushDeferred();
  void Put(Block block);
  void Write(const Block& block);
  void SetPlace(const Block& block);
  void EnterHeading(const Block& heading);
  void WriteCode();
  std::string CellName() const;

  MarkdownWriter* writer_;
  std::function<OdfObject(std::string_view)> read_object_;
  std::vector<std::pair<std::string, std::string>> facts_;
  std::string_view meta_name_;
  OdfStyles styles_;
  Body body_ = Body::kNone;
  bool is_document_ = false;
  bool common_styles_only_ = false;
  bool in_meta_ = false, in_styles_ = false, in_masters_ = false;

  int depth_ = 0;
  int skipped_ = 0;  // elements in the one that is left out, with it; 0: none is
  std::vector<Open> open_;
  bool captures_ = false;
  std::string captured_;

  std::vector<Container> containers_;
  std::vector<Paragraph> paragraphs_;
  int64_t paragraph_count_ = 0;
  int64_t footnote_count_ = 0, endnote_count_ = 0;
  int64_t last_list_count_ = 0;
  int holders_ = 0;     // open cells, notes and comments
  int asides_ = 0;      // open notes and comments
  int open_items_ = 0;  // of all containers
  std::vector<Block> deferred_;
  uint64_t held_bytes_ = 0;  // of deferred_ and slide_
  std::string code_;         // paragraphs of code that follow each other
  Block code_block_;         // the first of them
  bool in_math_ = false, in_chart_ = false;
  std::string math_text_, math_annotation_;

  // Of a text document.
  struct OpenHeading {
    int level = 0;
    std::string title;
  };
  std::vector<OpenHeading> headings_;  // those around the place that is written
  std::string heading_path_;
  std::vector<Block> page_texts_;  // headers and footers

  // Of a presentation.
  int64_t slide_number_ = 0;
  bool in_page_ = false, in_notes_ = false, writes_notes_ = false;
  bool slide_hidden_ = false, slide_titled_ = false;
  std::string slide_title_;
  std::vector<Block> slide_, slide_notes_;

  // Of a spreadsheet.
  std::optional<SheetWriter> sheet_;
  int64_t sheet_number_ = 0;
  std::string sheet_name_;
  int64_t row_ = 1, row_repeat_ = 1, column_ = 1;
};

}  // namespace recall
