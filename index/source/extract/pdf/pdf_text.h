#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "index/source/extract/pdf/pdf_marks.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// Makes a text with pages of what `pdftotext -bbox-layout FILE -` (poppler-utils 22.12) prints to
// its standard output, while it is printed: the memory is bounded by the text and by one page (64
// MiB of the output; more is kTooLarge). The output may be any bytes. Linear time but for the
// layout of a page of n words, O(n log n).
//
// Text: the pages in order, divided by an empty line, each with a span (kPage, from 1) if it has
// text. Paragraphs, divided by empty lines, are joined from lines; a hyphen at the end of a line is
// dropped if the joined word is elsewhere in the file, or the word with a hyphen is not. Larger
// lines are headings (at most four levels). Rows of tables have tabs between the cells. Running
// heads, feet and page numbers are left out if three pages have them at the same place; the first
// one stays if one of its words is nowhere else. Of a title of two pages the first stays. A line
// that Markdown would take for a heading, a fence or an underline gets a "\" in front. Marks are
// put in as AddPdfMarks says.
//
// Outcomes: kText; kNoText if no page has a word, and there are no marks; kTooLarge for more than
// limits.max_members pages; kDamaged if there is no page, and not even the end of a document.
// Warnings:
//   columns_guessed     lines of tables were put together against poppler's order
//   marks_missing       some marks could not be read (PdfMarks::complete)
//   pages_without_text  some pages have no word; meta "pages_without_text" says how many
//   truncated_output    the output ends early (what there is is read), or the text would exceed
//                       limits.max_text_bytes
// Meta: title, author, subject, keywords, created, modified, pages, pages_without_text,
// running_heads_dropped (how many heads, feet and page numbers are left out).
class PdfTextReader final {
 public:
  explicit PdfTextReader(const ExtractLimits& limits);
  ~PdfTextReader();
  PdfTextReader(const PdfTextReader&) = delete;
  PdfTextReader& operator=(const PdfTextReader&) = delete;

  // Takes the next part of the output, of any size. Returns false if the rest of the output is not
  // needed.
  bool Feed(std::string_view bytes);

  // Must be called once, after the last part. `marks`: outline and notes of the file.
  Extraction Finish(const PdfMarks& marks = {});

 private:
  class State;
  std::unique_ptr<State> state_;
};

// Makes a text of the whole output at once.
Extraction ExtractPdfLayout(std::string_view bbox_xhtml, const ExtractLimits& limits);

}  // namespace recall
