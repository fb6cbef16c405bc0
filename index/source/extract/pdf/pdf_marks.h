#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/pdf/pdf_page_layout.h"

namespace recall {

// What a PDF file says beside the text of its pages. Texts are UTF-8 without NUL and not empty.
struct PdfMarks {
  // An entry of the outline.
  struct Section {
    int64_t page = 0;   // from 0
    int level = 1;      // from 1
    std::string title;  // one line, at most 1,000 bytes
  };
  // An annotation: a comment, a text on the page, a remark to a highlighted passage.
  struct Note {
    int64_t page = 0;
    std::string author;     // one line; "" if none is named
    std::string text;       // lines that end with "\n", without empty ones
    bool is_drawn = false;  // its text may be that of the page, too
  };
  std::vector<Section> sections;  // in the order of the outline
  std::vector<Note> notes;        // by page
  bool complete = true;           // false if some could not be read
};

// Puts marks into laid out pages: a note at the end of its page, as "Comment (Ann): ...". A section
// makes the paragraph of its page that says the same a heading, if no heading was found on the
// page. If there is none, or the title is not in the text of the page, the page begins with the
// title as a heading. headings[page][piece] is the level or 0; left_out[page][row] whether a margin
// row is left out, which is not for a row that becomes a heading. Marks of a page that is missing
// are those of the last page.
void AddPdfMarks(const PdfMarks& marks, std::vector<PdfPageText>* pages,
                 std::vector<std::vector<int>>* headings,
                 const std::vector<std::vector<bool>>& left_out);

}  // namespace recall
