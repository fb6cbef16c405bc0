#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/odf/odf_block.h"

namespace recall {

// Appends `part`, with `divider` between it and the text before. An empty part appends nothing.
void AppendOdfPart(std::string_view part, char divider, std::string* text);

// The number of rows or cells that are written for `repeat` equal ones: of more than 64, one.
int64_t WrittenOdfRepeats(int64_t repeat);

// An open paragraph or heading.
struct OdfParagraph {
  std::string text;
  int level = 0;  // of a heading, from 1; 0 for other paragraphs
  bool code = false;
  bool collapses = true;  // the text ends with white space, so that more of it is dropped
  int64_t number = 0;

  // Appends text of the file, in which a run of white space is one space.
  void AppendText(std::string_view more);
  // Appends spaces, tabs and line breaks as they are.
  void AppendExact(std::string_view more);
  // Drops white space at the end, which code keeps.
  void TrimEnd();
};

// An open list.
struct OdfList {
  std::string style;
  bool numbered = false;
  int64_t count = 0;        // the number of the last item
  bool marker_due = false;  // the open item has no text yet

  std::string Marker() const { return numbered ? std::to_string(count) + "." : "-"; }
};

// An open table, which is not a sheet.
struct OdfTable {
  std::vector<std::string> cells;  // of the open row; the last one is not empty
  int64_t empty_cells = 0;         // the empty cells after them
  int64_t repeat = 1;              // of the open row
  int64_t paragraph = 0;           // the first one of the open row

  void BeginRow(int64_t row_repeat, int64_t first_paragraph);
  // The text of a cell beyond the limit of a row is appended to its last cell.
  void AddCell(const std::string& text, int64_t cell_repeat);
};

// A part of a document that has paragraphs, lists and tables of its own.
struct OdfContainer {
  enum class Kind : uint8_t { kBody, kCell, kNote, kComment, kShape, kPageText };
  Kind kind = Kind::kBody;
  bool title = false;            // of a shape: it has the title of a slide
  int64_t repeat = 1;            // of a cell
  std::string text;              // what is collected; bodies and shapes collect nothing
  std::string value;             // of a cell: the text to show if it has none
  std::string creator;           // of a comment
  std::string mark;              // of a note: "[1]"
  std::string alternative;       // of a shape: its title and description
  size_t paragraphs = 0;         // the number of open paragraphs around it
  std::vector<OdfList> lists;    // the open ones, the innermost last
  std::vector<OdfTable> tables;  // the open ones, the innermost last
  std::optional<OdfBlock> item;  // the open item, if it has a text

  // Whether it is collected as one text, and not as blocks of the document.
  bool collects() const { return kind != Kind::kBody && kind != Kind::kShape; }
  // Whether its paragraphs are not counted.
  bool is_aside() const { return collects() && kind != Kind::kCell; }
};

}  // namespace recall
