#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A page as `pdftotext -bbox-layout` (poppler-utils 22.12) prints it: blocks of lines of words, in
// poppler's reading order, with the boxes of the words. Words from right to left, and lines of
// such, are in the order of reading.

// In points; the origin is the page's upper left corner.
struct PdfBox {
  float x0 = 0;
  float y0 = 0;
  float x1 = 0;
  float y1 = 0;
};

struct PdfWord {
  PdfBox box;
  uint32_t start = 0;  // bytes of PdfPage::text
  uint32_t size = 0;
};

struct PdfLine {
  uint32_t first_word = 0;
  uint32_t end_word = 0;  // after the last one
};

struct PdfBlock {
  uint32_t first_line = 0;
  uint32_t end_line = 0;
};

struct PdfPage {
  float width = 0;
  float height = 0;
  std::string text;  // of all words: UTF-8 without white space and control characters
  std::vector<PdfWord> words;
  std::vector<PdfLine> lines;    // not empty
  std::vector<PdfBlock> blocks;  // not empty

  std::string_view TextOf(const PdfWord& word) const {
    return std::string_view(text).substr(word.start, word.size);
  }
};

// Reads one page: `xhtml` is what stands between "<page" and "</page>". Any bytes give a page:
// unknown tags are skipped, a word without a usable box gets that of its predecessor, words without
// characters are left out. *page is cleared first; its memory is used again. Linear time.
// Requires: xhtml.size() < 2^30.
void ReadBboxPage(std::string_view xhtml, PdfPage* page);

// The facts of the head, which is all that stands before the first "<page": title, author, subject,
// keywords, created, modified (ISO 8601). A fact that is missing or empty has no entry.
std::map<std::string, std::vector<std::string>> ReadBboxHead(std::string_view xhtml);

}  // namespace recall
