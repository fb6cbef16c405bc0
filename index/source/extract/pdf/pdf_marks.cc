#include "index/source/extract/pdf/pdf_marks.h"

#include <string.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "index/base/text/case_fold.h"
#include "index/base/text/utf8.h"

// Problem: titles of the outline mostly stand on their pages, too, in letters that were taken for a
// heading or were not; and the text of an annotation may be drawn on the page. Both must be found,
// and not stand there twice.
//
// Idea: texts are compared as words in one case, without punctuation. A section is looked for among
// the short paragraphs of its page, without the numbers before it, and else in all of its text.
//
// Cost: linear in the text of the pages that have marks, for each mark that is not a paragraph; at
// most kMostSearched bytes. Marks beyond are put in without a search.

namespace recall {
namespace {

constexpr uint64_t kMostSearched = uint64_t{256} << 20;
constexpr int kMostHeadingLevel = 4;
constexpr uint32_t kMostTitleLines = 3;

// The words of a text in one case, each between two blanks: " 2 1 methods ".
std::string WordsOf(std::string_view text) {
  std::string words = " ";
  for (const char c : InOneCase(text)) {
    const bool in_word =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (in_word) words += c;
    if (!in_word && words.back() != ' ') words += ' ';
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

// Words as WordsOf gives them, without the numbers at their beginning: "A.1", "iv", "12.3".
std::string WithoutNumbers(std::string_view words) {
  for (;;) {
    const size_t end = words.find(' ', 1);
    if (end == words.npos || end + 1 >= words.size()) break;
    const std::string_view word = words.substr(1, end - 1);
    const bool is_number = word.size() == 1 || word.find_first_not_of("0123456789") == word.npos ||
                           word.find_first_not_of("ivxlc") == word.npos;
    if (!is_number) break;
    words.remove_prefix(end);
  }
  return std::string(words);
}

// Puts the marks of one page into it.
class PageMarker final {
 public:
  PageMarker(PdfPageText* page, std::vector<int>* headings, const std::vector<bool>& left_out,
             uint64_t* search_left)
      : page_(page), headings_(headings), left_out_(left_out), search_left_(search_left) {
    for (const PdfTextLine& line : page_->lines) {
      words_ += std::string_view(page_->text).substr(line.start, line.size);
      words_ += ' ';
    }
    words_ = WordsOf(words_);
  }

  void AddSections(const std::vector<const PdfMarks::Section*>& sections) {
    const bool had_headings = std::ranges::any_of(*headings_, [](int level) { return level != 0; });
    has_heading_ = had_headings;
    std::unordered_map<std::string, size_t> pieces;  // the first with these words
    for (size_t i = page_->pieces.size(); i-- > 0;) {
      const PdfPiece& piece = page_->pieces[i];
      if (piece.end_line - piece.first_line > kMostTitleLines) continue;
      const PdfTextLine& first = page_->lines[piece.first_line];
      const PdfTextLine& last = page_->lines[piece.end_line - 1];
      const std::string words = WordsOf(
          std::string_view(page_->text).substr(first.start, last.start + last.size - first.start));
      pieces[WithoutNumbers(words)] = i;
    }
    std::vector<const PdfMarks::Section*> others;
    for (const PdfMarks::Section* section : sections) {
      const std::string words = WordsOf(section->title);
      const auto piece = pieces.find(WithoutNumbers(words));
      if (words == " ") continue;
      if (piece == pieces.end()) {
        others.push_back(section);
      } else if (!had_headings) {
        MakeHeading(piece->second, section->level);
        pieces.erase(piece);
      }
    }
    std::vector<PdfPiece> inserted;
    std::vector<int> levels;
    for (const PdfMarks::Section* section : others) {
      if (has_heading_ && Has(WordsOf(section->title))) continue;
      inserted.push_back(EmptyPiece());
      AddLine(section->title);
      inserted.back().end_line = static_cast<uint32_t>(page_->lines.size());
      levels.push_back(std::min(section->level, kMostHeadingLevel));
      has_heading_ = true;
    }
    page_->pieces.insert(page_->pieces.begin(), inserted.begin(), inserted.end());
    headings_->insert(headings_->begin(), levels.begin(), levels.end());
  }

  void AddNote(const PdfMarks::Note& note) {
    if (note.is_drawn && Has(WordsOf(note.text))) return;
    const std::string label = note.author.empty() ? "Comment" : "Comment (" + note.author + ")";
    const std::string text = label + ": " + note.text;
    PdfPiece piece = EmptyPiece();
    piece.is_flow = false;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      AddLine(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
    }
    piece.end_line = static_cast<uint32_t>(page_->lines.size());
    page_->pieces.push_back(piece);
    headings_->push_back(0);
  }

 private:
  bool Has(const std::string& words) {
    if (*search_left_ < words_.size()) return false;
    *search_left_ -= words_.size();
    // memmem takes linear time, unlike std::string::find.
    return ::memmem(words_.data(), words_.size(), words.data(), words.size()) != nullptr;
  }

  void MakeHeading(size_t piece, int level) {
    (*headings_)[piece] = std::min(level, kMostHeadingLevel);
    has_heading_ = true;
    for (uint32_t l = page_->pieces[piece].first_line; l < page_->pieces[piece].end_line; ++l) {
      int8_t& row = page_->lines[l].margin_row;
      if (row >= 0 && left_out_[static_cast<size_t>(row)]) row = -1;
    }
  }

  PdfPiece EmptyPiece() const {
    PdfPiece piece;
    piece.first_line = static_cast<uint32_t>(page_->lines.size());
    return piece;
  }

  void AddLine(std::string_view text) {
    PdfTextLine line;
    line.start = static_cast<uint32_t>(page_->text.size());
    line.size = static_cast<uint32_t>(text.size());
    page_->text += text;
    page_->lines.push_back(line);
  }

  PdfPageText* page_;
  std::vector<int>* headings_;
  const std::vector<bool>& left_out_;
  uint64_t* search_left_;
  std::string words_;  // of the page, without its marks
  bool has_heading_ = false;
};

}  // namespace

void AddPdfMarks(const PdfMarks& marks, std::vector<PdfPageText>* pages,
                 std::vector<std::vector<int>>* headings,
                 const std::vector<std::vector<bool>>& left_out) {
  if (pages->empty()) return;
  struct OfPage {
    std::vector<const PdfMarks::Section*> sections;
    std::vector<const PdfMarks::Note*> notes;
  };
  std::map<size_t, OfPage> by_page;
  const auto page_of = [&](int64_t page) {
    return static_cast<size_t>(
        std::clamp<int64_t>(page, 0, static_cast<int64_t>(pages->size()) - 1));
  };
  for (const auto& section : marks.sections)
    by_page[page_of(section.page)].sections.push_back(&section);
  for (const auto& note : marks.notes) by_page[page_of(note.page)].notes.push_back(&note);
  uint64_t search_left = kMostSearched;
  for (const auto& [page, of_page] : by_page) {
    PageMarker marker(&(*pages)[page], &(*headings)[page], left_out[page], &search_left);
    marker.AddSections(of_page.sections);
    for (const PdfMarks::Note* note : of_page.notes) marker.AddNote(*note);
  }
}

}  // namespace recall
