#include "index/source/extract/pdf/pdf_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "index/base/text/case_fold.h"
#include "index/base/text/utf8.h"
#include "index/source/extract/pdf/bbox_reader.h"
#include "index/source/extract/pdf/pdf_page_layout.h"
#include "index/source/extract/pdf/running_heads.h"
#include "index/source/extract/pdf/word_set.h"

// Problem: some decisions about a page need the whole file (which letters are larger than those of
// the text, which rows repeat, is "infor-mation" one word), but poppler's output takes a hundred
// bytes for each word.
//
// Idea: each page is laid out as soon as it is there. Kept are its lines as text, and marks where a
// decision is open: hyphens at the end of lines, rows near the edges, the height of the letters.
// The decisions are made by Finish, which writes the text.

namespace recall {
namespace {

constexpr size_t kMaxPageBytes = size_t{64} << 20;
constexpr std::string_view kPageBegin = "<page";
constexpr std::string_view kPageEnd = "</page>";
constexpr std::string_view kDocumentEnd = "</doc>";
constexpr size_t kMaxHeadBytes = size_t{1} << 20;

// Headings.
constexpr double kHeadingRatio = 1.15;  // of the heights of letters: heading to text
constexpr size_t kMaxHeadingLines = 3;
constexpr size_t kMaxHeadingCharacters = 200;
constexpr int kMaxHeadingLevels = 4;

bool IsBlankByte(char c) { return c == ' ' || c == '\t'; }

// Whether a word begins with a lower-case letter.
bool IsLowerStart(std::string_view word) {
  if (word.empty()) return false;
  size_t at = 0;
  const uint32_t code = DecodeUtf8(word, &at);
  if (code < 0x80) return code >= 'a' && code <= 'z';
  const bool punctuation = code < 0xC0 || (code >= 0x2000 && code < 0x2070);
  return !punctuation && FoldCase(code) == code;
}

std::string_view HyphenAt(std::string_view text) {
  for (const std::string_view hyphen : {"-", "\u2010", "\u00AD"}) {
    if (text.ends_with(hyphen)) return hyphen;
  }
  return "";
}

enum class HyphenRole : uint8_t {
  kAtLineEndOnly,  // the word has none
  kPartOfWord,
  kSuspended,  // "pre- and post-"
};

// Decides about the hyphen at the end of `head`, when `tail` begins the next line.
HyphenRole RoleOfHyphen(std::string_view head, std::string_view tail, const PdfWordSet& words) {
  const std::string_view hyphen = HyphenAt(head);
  if (hyphen == "\u00AD") return HyphenRole::kAtLineEndOnly;
  const std::string next = ComparableWord(tail);
  for (const std::string_view word : {"and", "or", "und", "oder", "et", "ou", "y", "to", "bis"}) {
    if (next == word) return HyphenRole::kSuspended;
  }
  if (!IsLowerStart(tail)) return HyphenRole::kPartOfWord;
  const std::string_view stem = head.substr(0, head.size() - hyphen.size());
  if (stem.find_first_of("0123456789-/._@:=+\\") != stem.npos) return HyphenRole::kPartOfWord;
  const std::string first = ComparableWord(stem);
  if (words.Has(first + next)) return HyphenRole::kAtLineEndOnly;
  if (words.Has(first + "-" + next)) return HyphenRole::kPartOfWord;
  if (first == "non" || first == "self") return HyphenRole::kPartOfWord;
  // If both parts are words of the text, they are more likely a compound than parts of one word.
  const bool compound =
      first.size() >= 3 && next.size() >= 3 && words.Has(first) && words.Has(next);
  return compound ? HyphenRole::kPartOfWord : HyphenRole::kAtLineEndOnly;
}

// Whether Markdown takes the line for a heading, a fence, an underline or the beginning of HTML.
bool NeedsEscape(std::string_view line) {
  if (line.empty()) return false;
  switch (line[0]) {
    case '#': {
      const size_t level = std::min(line.find_first_not_of('#'), line.size());
      return level <= 6 && (level == line.size() || IsBlankByte(line[level]));
    }
    case '=':
    case '-':
      return line.find_first_not_of(line[0]) == line.npos;
    case '`':
    case '~':
      return line.starts_with("```") || line.starts_with("~~~");
    case '<':
      return line.starts_with("<!--") || line.starts_with("<script") ||
             line.starts_with("<style") || line.starts_with("<pre") ||
             line.starts_with("<textarea");
    default:
      return false;
  }
}

bool HasWordOfLetters(std::string_view text) {
  size_t run = 0;
  for (const char c : text) {
    const bool letter =
        ((c | 32) >= 'a' && (c | 32) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
    run = letter ? run + 1 : 0;
    if (run >= 2) return true;
  }
  return false;
}

// Gives headings levels by the height of their letters: the largest have level 1.
class HeadingLevels final {
 public:
  void Add(float height) { heights_.push_back(height); }

  void Sort() {
    std::ranges::sort(heights_, std::greater<>());
    for (const float height : heights_) {
      if (classes_.empty() || height < classes_.back() * 0.95f) classes_.push_back(height);
    }
  }

  int LevelOf(float height) const {
    int level = 1;
    for (const float largest : classes_) {
      if (height >= largest * 0.95f || level == kMaxHeadingLevels) break;
      ++level;
    }
    return level;
  }

 private:
  std::vector<float> heights_;
  std::vector<float> classes_;  // the largest of each, descending
};

std::string PagesText(uint64_t pages) {
  return std::to_string(pages) + (pages == 1 ? " page" : " pages");
}

}  // namespace

class PdfTextReader::State final {
 public:
  explicit State(const ExtractLimits& limits) : limits_(limits) {}

  bool Feed(std::string_view bytes) {
    if (ended_) return false;
    if (!pending_.empty()) {
      pending_ += bytes;
      const size_t used = ReadPages(pending_, false);
      pending_.erase(0, used);
    } else {
      pending_.assign(bytes.substr(ReadPages(bytes, false)));
    }
    if (pending_.size() > kMaxPageBytes && !ended_) {
      Fail(ExtractOutcome::kTooLarge,
           "page " + std::to_string(pages_.size() + 1) + " has more than 64 MiB of words");
    }
    return !ended_;
  }

  Extraction Finish(const PdfMarks& marks) {
    if (!ended_) ReadPages(pending_, true);
    if (failure_.outcome != ExtractOutcome::kText) return std::move(failure_);
    if (pages_.empty() && !complete_) {
      return FailedExtraction(ExtractOutcome::kDamaged, "pdftotext printed no page");
    }
    result_.meta = std::move(facts_);
    result_.meta["pages"] = {std::to_string(pages_.size())};
    uint64_t without_text = 0;
    for (const PdfPageText& page : pages_) without_text += page.words == 0 ? 1 : 0;
    const bool has_marks = !marks.sections.empty() || !marks.notes.empty();
    if (pages_.empty() || (without_text == pages_.size() && !has_marks)) return WithoutText();
    if (without_text > 0) {
      result_.meta["pages_without_text"] = {std::to_string(without_text)};
      result_.warnings.emplace_back("pages_without_text");
    }
    if (!complete_ || cut_) result_.warnings.emplace_back("truncated_output");
    if (!marks.complete) result_.warnings.emplace_back("marks_missing");
    WritePages(marks);
    if (result_.text.empty() && full_) {
      return FailedExtraction(
          ExtractOutcome::kTooLarge,
          "its text has more than " + std::to_string(limits_.max_text_bytes) + " bytes");
    }
    if (result_.text.empty()) {
      result_.outcome = ExtractOutcome::kNoText;
      result_.reason = PagesText(pages_.size()) + ": no text but page numbers";
    }
    for (const PdfPageText& page : pages_) {
      if (page.order_changed) result_.warnings.emplace_back("columns_guessed");
      if (page.order_changed) break;
    }
    std::ranges::sort(result_.warnings);
    const auto repeated = std::ranges::unique(result_.warnings);
    result_.warnings.erase(repeated.begin(), repeated.end());
    return std::move(result_);
  }

 private:
  void Fail(ExtractOutcome outcome, std::string reason) {
    failure_ = FailedExtraction(outcome, std::move(reason));
    ended_ = true;
  }

  Extraction WithoutText() {
    result_.outcome = ExtractOutcome::kNoText;
    if (pages_.empty()) {
      result_.reason = "it has no pages";
    } else if (pages_.size() == 1) {
      result_.reason = "1 page, which has no text: it may be scanned";
    } else {
      result_.reason = PagesText(pages_.size()) + ", none has text: they may be scanned";
    }
    return std::move(result_);
  }

  // Reads the complete pages at the beginning of `bytes`; with `at_end` also a page that is cut
  // off. Returns the number of bytes that are no longer needed.
  size_t ReadPages(std::string_view bytes, bool at_end) {
    size_t done = 0;
    while (!ended_) {
      const size_t begin = bytes.find(kPageBegin, done);
      if (begin == bytes.npos) {
        if (!head_read_ && !at_end && bytes.size() < kMaxHeadBytes) return 0;
        if (!head_read_) ReadHead(bytes);
        if (bytes.find(kDocumentEnd, done) != bytes.npos) complete_ = true;
        // The last bytes may be the beginning of a tag, so they are kept.
        return std::max(done, bytes.size() - std::min<size_t>(bytes.size(), kDocumentEnd.size()));
      }
      if (!head_read_) ReadHead(bytes.substr(0, begin));
      size_t end = bytes.find(kPageEnd, std::max(begin, done + searched_));
      if (end == bytes.npos) {
        if (!at_end) {
          // The next search begins where this one ended.
          searched_ = bytes.size() - begin;
          searched_ -= std::min(searched_, kPageEnd.size());
          return begin;
        }
        end = bytes.size();
        cut_ = true;
      }
      searched_ = 0;
      AddPage(bytes.substr(begin + kPageBegin.size(), end - begin - kPageBegin.size()));
      done = std::min(end + kPageEnd.size(), bytes.size());
    }
    return bytes.size();
  }

  void ReadHead(std::string_view head) {
    head_read_ = true;
    facts_ = ReadBboxHead(head);
  }

  void AddPage(std::string_view xhtml) {
    if (static_cast<int64_t>(pages_.size()) >= limits_.max_members) {
      Fail(ExtractOutcome::kTooLarge,
           "it has more than " + std::to_string(limits_.max_members) + " pages");
      return;
    }
    if (xhtml.size() > kMaxPageBytes) {
      Fail(ExtractOutcome::kTooLarge,
           "page " + std::to_string(pages_.size() + 1) + " has more than 64 MiB of words");
      return;
    }
    complete_ = false;  // an end before this page was none
    ReadBboxPage(xhtml, &page_);
    pages_.emplace_back();
    PdfPageText& text = pages_.back();
    LayOutPdfPage(page_, &text);
    NoteWords(text);
    text.text.shrink_to_fit();
    text.lines.shrink_to_fit();
    text.pieces.shrink_to_fit();
    kept_bytes_ += text.text.size();
    if (kept_bytes_ > limits_.max_text_bytes) ended_ = cut_ = true;
  }

  // Adds the whole words of a page, without the parts of words that are divided at the end of a
  // line.
  void NoteWords(const PdfPageText& page) {
    bool divided = false;  // the line before ended with a hyphen
    for (const PdfTextLine& line : page.lines) {
      bool skip = divided;
      divided = line.end == PdfLineEnd::kHyphen;
      ForEachWord(std::string_view(page.text).substr(line.start, line.size),
                  [&](std::string_view word) {
                    const bool part = skip || !HyphenAt(word).empty();
                    skip = false;
                    if (part) return;
                    const std::string comparable = ComparableWord(word);
                    if (comparable.empty()) return;
                    words_.Add(comparable);
                    if (line.margin_row < 0) inner_words_.Add(comparable);
                  });
    }
  }

  template <class Visit>
  static void ForEachWord(std::string_view text, Visit visit) {
    while (!text.empty()) {
      const size_t end = std::min(text.find_first_of(" \t"), text.size());
      if (end > 0) visit(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  // Returns the most frequent height of letters, which is that of the running text.
  double TextHeight() const {
    std::map<int, uint64_t> characters;  // by tenths of a point
    for (const PdfPageText& page : pages_) {
      for (const PdfPiece& piece : page.pieces) {
        characters[static_cast<int>(std::min(piece.letter_height, 1e5f) * 10)] += piece.characters;
      }
    }
    uint64_t most = 0;
    int height = 0;
    for (const auto& [tenths, count] : characters) {
      const auto next = characters.find(tenths + 1);
      const uint64_t both = count + (next == characters.end() ? 0 : next->second);
      if (both > most) {
        most = both;
        height = tenths;
      }
    }
    return (height + 1) / 10.0;
  }

  bool MayBeHeading(const PdfPageText& page, const PdfPiece& piece, double text_height) const {
    if (!piece.is_flow || piece.letter_height < kHeadingRatio * text_height) return false;
    if (piece.end_line - piece.first_line > kMaxHeadingLines) return false;
    if (piece.characters > kMaxHeadingCharacters) return false;
    const PdfTextLine& first = page.lines[piece.first_line];
    const PdfTextLine& last = page.lines[piece.end_line - 1];
    const std::string_view text =
        std::string_view(page.text).substr(first.start, last.start + last.size - first.start);
    return text.find('\t') == text.npos && HasWordOfLetters(text);
  }

  // Finds the headings: headings_[page][piece] is the level or 0.
  void FindHeadings() {
    const double text_height = TextHeight();
    uint64_t all = 0, in_headings = 0;
    headings_.resize(pages_.size());
    HeadingLevels levels;
    for (size_t p = 0; p < pages_.size(); ++p) {
      const PdfPageText& page = pages_[p];
      auto& heading = headings_[p];
      heading.assign(page.pieces.size(), 0);
      uint64_t on_page = 0, characters = 0, count = 0;
      for (size_t i = 0; i < page.pieces.size(); ++i) {
        on_page += page.pieces[i].characters;
        if (!MayBeHeading(page, page.pieces[i], text_height)) continue;
        heading[i] = 1;
        characters += page.pieces[i].characters;
        ++count;
      }
      all += on_page;
      // A page of mostly large letters, such as a poster or a cover, has no headings.
      if (count > 3 && characters * 2 > on_page) {
        heading.assign(page.pieces.size(), 0);
        continue;
      }
      in_headings += characters;
      for (size_t i = 0; i < page.pieces.size(); ++i) {
        if (heading[i] != 0) levels.Add(page.pieces[i].letter_height);
      }
    }
    const bool none = all > 2000 && in_headings * 4 > all;
    levels.Sort();
    for (size_t p = 0; p < pages_.size(); ++p) {
      for (size_t i = 0; i < headings_[p].size(); ++i) {
        if (headings_[p][i] == 0) continue;
        headings_[p][i] = none ? 0 : levels.LevelOf(pages_[p].pieces[i].letter_height);
      }
    }
  }

  void WritePages(const PdfMarks& marks) {
    FindHeadings();
    std::vector<const std::vector<PdfMarginRow>*> rows;
    for (const PdfPageText& page : pages_) rows.push_back(&page.margin_rows);
    const auto left_out =
        FindRunningHeads(rows, static_cast<float>(kHeadingRatio * TextHeight()),
                         [&](std::string_view word) { return inner_words_.Has(word); });
    uint64_t dropped = 0;
    for (const auto& page : left_out) {
      dropped += static_cast<uint64_t>(std::ranges::count(page, true));
    }
    if (dropped > 0) result_.meta["running_heads_dropped"] = {std::to_string(dropped)};
    AddPdfMarks(marks, &pages_, &headings_, left_out);
    for (size_t p = 0; p < pages_.size() && !full_; ++p) {
      page_begun_ = false;
      for (size_t i = 0; i < pages_[p].pieces.size() && !full_; ++i) {
        WritePiece(pages_[p], pages_[p].pieces[i], headings_[p][i], left_out[p]);
      }
      if (page_begun_ && result_.text.size() > page_start_) {
        LocatorSpan span;
        span.start = page_start_;
        span.end = result_.text.size();
        span.locator.kind = LocatorKind::kPage;
        span.locator.number = static_cast<int64_t>(p) + 1;
        result_.spans.push_back(std::move(span));
      }
    }
    const uint64_t end = result_.spans.empty() ? 0 : result_.spans.back().end;
    result_.text.resize(end);
    if (end > 0) result_.text += '\n';
  }

  // Appends to the text. Returns false if the text, with its last line end, would exceed the limit.
  bool Append(std::string_view bytes) {
    std::string& text = result_.text;
    const uint64_t most = std::max<uint64_t>(limits_.max_text_bytes, 1) - 1;
    if (text.size() + bytes.size() <= most && !full_) {
      text += bytes;
      return true;
    }
    if (!full_) {
      text += bytes.substr(0, FloorToCharacter(bytes, most - std::min(most, text.size())));
      result_.warnings.emplace_back("truncated_output");
    }
    full_ = true;
    return false;
  }

  // Returns a line without white space at its ends.
  static std::string_view Trimmed(std::string_view line) {
    while (!line.empty() && IsBlankByte(line.front())) line.remove_prefix(1);
    while (!line.empty() && IsBlankByte(line.back())) line.remove_suffix(1);
    return line;
  }

  void WritePiece(const PdfPageText& page, const PdfPiece& piece, int heading,
                  const std::vector<bool>& left_out) {
    bool begun = false;
    PdfLineEnd before = PdfLineEnd::kNewLine;
    for (uint32_t l = piece.first_line; l < piece.end_line && !full_; ++l) {
      const PdfTextLine& line = page.lines[l];
      if (line.margin_row >= 0 && left_out[static_cast<size_t>(line.margin_row)]) {
        if (before == PdfLineEnd::kHyphen) before = PdfLineEnd::kSpace;
        continue;
      }
      std::string_view text = std::string_view(page.text).substr(line.start, line.size);
      text = piece.is_flow ? Trimmed(text) : text.substr(0, text.find_last_not_of(" \t") + 1);
      if (text.empty()) continue;
      if (!begun) {
        if (!BeginWriting(piece, heading, &text)) return;
        begun = true;
      } else if (before == PdfLineEnd::kHyphen) {
        ResolveHyphen(text);
      } else {
        Append(before == PdfLineEnd::kSpace || heading != 0 ? " " : "\n");
      }
      if (before == PdfLineEnd::kNewLine && heading == 0 && NeedsEscape(text)) Append("\\");
      Append(text);
      before = line.end;
    }
    if (begun) can_go_on_ = piece.is_flow && heading == 0;
  }

  // Begins a paragraph with *text. If the paragraph before ends with a part of a word, the rest of
  // the word is moved there from *text. Returns false if *text is empty then.
  bool BeginWriting(const PdfPiece& piece, int heading, std::string_view* text) {
    if (can_go_on_ && piece.is_flow && heading == 0 && !HyphenAt(result_.text).empty() &&
        IsLowerStart(*text)) {
      const std::string_view word = text->substr(0, text->find_first_of(" \t"));
      if (RoleOfHyphen(LastWord(), word, words_) == HyphenRole::kAtLineEndOnly) {
        result_.text.resize(result_.text.size() - HyphenAt(result_.text).size());
        Append(word);
        if (!page_begun_ && !result_.spans.empty()) result_.spans.back().end = result_.text.size();
        *text = Trimmed(text->substr(word.size()));
      }
    }
    if (text->empty()) return false;
    if (!result_.text.empty() && !Append("\n\n")) return false;
    if (!page_begun_) {
      page_begun_ = true;
      page_start_ = result_.text.size();
    }
    if (heading != 0) {
      Append(std::string_view("######").substr(0, static_cast<size_t>(heading)));
      Append(" ");
    }
    return !full_;
  }

  // Returns the end of the text after the last blank, cut if it is long.
  std::string_view LastWord() const {
    std::string_view text = result_.text;
    text.remove_prefix(text.size() - std::min<size_t>(text.size(), 200));
    const size_t blank = text.find_last_of(" \t\n");
    return blank == text.npos ? text : text.substr(blank + 1);
  }

  // Keeps or drops the hyphen at the end of the text, so that `next_line` can follow.
  void ResolveHyphen(std::string_view next_line) {
    const std::string_view word = next_line.substr(0, next_line.find_first_of(" \t"));
    switch (RoleOfHyphen(LastWord(), word, words_)) {
      case HyphenRole::kSuspended:
        Append(" ");
        break;
      case HyphenRole::kPartOfWord:
        break;
      case HyphenRole::kAtLineEndOnly:
        result_.text.resize(result_.text.size() - HyphenAt(result_.text).size());
    }
  }

  const ExtractLimits limits_;
  std::string pending_;  // not yet read
  size_t searched_ = 0;  // bytes of pending_ that contain no end of a page
  bool head_read_ = false;
  bool ended_ = false;     // nothing more is read
  bool complete_ = false;  // the end of the document was there
  bool cut_ = false;       // pages, or parts of one, are missing
  std::map<std::string, std::vector<std::string>> facts_;
  PdfPage page_;
  std::vector<PdfPageText> pages_;
  uint64_t kept_bytes_ = 0;
  PdfWordSet words_;
  PdfWordSet inner_words_;  // those that are not near the edges
  Extraction failure_;

  // The state while Finish writes.
  std::vector<std::vector<int>> headings_;
  Extraction result_;
  bool full_ = false;
  bool can_go_on_ = false;   // the last paragraph may go on in the next one
  bool page_begun_ = false;  // the page has text
  uint64_t page_start_ = 0;
};

PdfTextReader::PdfTextReader(const ExtractLimits& limits)
    : state_(std::make_unique<State>(limits)) {}
PdfTextReader::~PdfTextReader() = default;
bool PdfTextReader::Feed(std::string_view bytes) { return state_->Feed(bytes); }
Extraction PdfTextReader::Finish(const PdfMarks& marks) { return state_->Finish(marks); }

Extraction ExtractPdfLayout(std::string_view bbox_xhtml, const ExtractLimits& limits) {
  PdfTextReader reader(limits);
  reader.Feed(bbox_xhtml);
  return reader.Finish();
}

}  // namespace recall
