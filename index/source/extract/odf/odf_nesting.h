#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/odf/odf_block.h"
#include "index/source/extract/odf/odf_container.h"
#include "index/source/extract/odf/odf_output.h"
#include "index/source/extract/odf/odf_styles.h"

namespace recall {

// The text of an embedded object, on one line.
struct OdfObject {
  std::string text;
  bool formula = false;  // it is a part of the sentence that it is in
};

// The parts of a document that are open at the place of the reader, and the blocks that come from
// them. Each Start... is followed by its End..., properly nested; the functions of lists, rows and
// cells require that the part around them is open.
class OdfNesting final {
 public:
  // Both must outlive this.
  OdfNesting(const OdfStyles* styles, OdfOutput* output);

  // Before each XML document: nothing is open. Counts go on.
  void Reset();

  bool InParagraph() const { return paragraphs_.size() > containers_.back().paragraphs; }
  bool InList() const { return !containers_.back().lists.empty(); }
  // Whether rows are expected: in a table of the innermost container, or in a sheet.
  bool InTable() const;
  bool InComment() const { return containers_.back().kind == OdfContainer::Kind::kComment; }
  // Whether no cell, note, comment, shape or header of pages is open.
  bool IsOutermost() const { return containers_.size() == 1; }
  // Whether a table that starts here is a sheet.
  bool StartsSheet() const;

  // outline_level: of a heading, from 1; 0 for a paragraph, whose style may make it a title.
  void StartParagraph(int outline_level, std::string_view style);
  void EndParagraph();
  // Requires: InParagraph().
  void AppendText(std::string_view text) { paragraphs_.back().AppendText(text); }
  void AppendExact(std::string_view text) { paragraphs_.back().AppendExact(text); }

  // An empty style is that of the list around it.
  void StartList(std::string_view style, bool continues_numbers);
  void EndList();
  // number: the one that the item has, if the file says it.
  void StartItem(std::optional<int64_t> number);
  // A header of a list is an item without a marker.
  void StartListHeader();
  void EndItem();
  // A list with one item; its numbers are not continued by the next list.
  void EndNumberedParagraph();

  // A sheet if StartsSheet().
  void StartTable(std::string_view name, bool hidden);
  void EndTable();
  void StartRow(int64_t repeat);
  void EndRow();
  void StartCell(int64_t repeat, std::string value);
  void EndCell();

  void StartShape(bool is_title);
  // A note gets the next number of its kind. cites: its mark is appended to the open paragraph.
  void StartNote(bool is_endnote, bool cites);
  void StartComment();
  // Requires: InComment().
  void SetCreator(std::string creator) { containers_.back().creator = std::move(creator); }
  // Ends a shape, note or comment.
  void EndContainer();
  void StartPageText();
  // range: "header" or "footer". A text without a word, and one that is known, is dropped.
  void EndPageText(std::string_view range);
  std::span<const OdfBlock> page_texts() const { return page_texts_; }

  // text: the title or the description of the innermost shape.
  void AddAlternative(std::string_view text);
  void AddObject(OdfObject object);

  // Ends the open item of the innermost container, and writes what may be written: a part of the
  // document begins or ends.
  void EndPart();

 private:
  void StartContainer(OdfContainer::Kind kind);
  OdfContainer PopContainer();
  bool InSheet() const;
  void EndOpenItem();
  void EmitParagraph(OdfBlock block, bool code);
  void EmitText(std::string text);
  void EmitAlternative();
  void DeferAside(std::string text);

  // Returns the text that collects the blocks of the innermost container; null if they are blocks
  // of the document.
  std::string* Collector(char* divider);
  void Emit(OdfBlock block);
  void Flush();
  std::string OpenCell() const;

  const OdfStyles* styles_;
  OdfOutput* output_;
  std::vector<OdfContainer> containers_;  // the first is the body
  std::vector<OdfParagraph> paragraphs_;  // of all containers
  std::vector<OdfBlock> page_texts_;
  int64_t paragraph_count_ = 0;
  int64_t footnote_count_ = 0;
  int64_t endnote_count_ = 0;
  int64_t last_list_count_ = 0;  // of the list that ended last
  int collectors_ = 0;           // the open containers that collect a text
  int asides_ = 0;               // those whose paragraphs are not counted
  int open_items_ = 0;           // of all containers
};

}  // namespace recall
