#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "index/base/text/ascii_run.h"
#include "index/base/text/ascii_segment.h"
#include "index/base/text/identifier_parts.h"
#include "index/base/text/segment_analyzer.h"
#include "index/base/text/stop_words.h"
#include "index/base/text/token_limits.h"

namespace recall {

// Finds the words of a text whose character n-grams count (ngram_scanner.h).
//
//   text --segments--> ASCII: one word, or the parts of an identifier   VisitAsciiSegment
//                      other: Unicode analysis into runs                VisitOtherSegment
//
//   "The colours"     ->  colours              "the" is a function word
//   "HTTPServer_url"  ->  http | server | url
//   "日本語"           ->  日本 | 本語            scripts without spaces: overlapping pairs
//
// Words are folded as in the full-text index but not stemmed. Both paths give the same words. A
// word has at most kMaxTokenBytes bytes. Stores contain n-grams of these words, and numbers of them
// (docs/format/store.md): never change which words a text has.
//
// Almost all text is ASCII, for which the folded word fits a small array, so this path allocates
// nothing and decodes no UTF-8. Contains scratch memory: one per thread.
class WordScanner final {
 public:
  // Calls visit(word) for each word of `text`, in order, including repetitions. The word stands
  // between '<' and '>', and is valid until the visitor returns.
  template <typename Visit>
  void ForEach(std::string_view text, const Visit& visit) {
    ForEachSegment(
        text, [&](std::string_view segment) { VisitAsciiSegment(segment, visit); },
        [&](std::string_view segment) { VisitOtherSegment(segment, visit); });
  }

  // Calls ascii(segment) for each segment of letters, digits and underscores of ASCII, and
  // other(segment) for each other segment, in order. The words of a segment depend only on its
  // bytes.
  template <typename Ascii, typename Other>
  static void ForEachSegment(std::string_view text, const Ascii& ascii, const Other& other) {
    for (size_t at = 0; at < text.size();) {
      const AsciiRun run(text, at);
      if (run.known()) {
        if (run.InSegment()) ascii(text.substr(at, run.size()));
        at += run.size();
        continue;
      }
      const AsciiSegment segment(text, at);
      if (!segment.IsAscii()) {
        const std::string_view whole = NextSegment(text, &at);
        if (!whole.empty()) other(whole);
        continue;
      }
      if (!segment.IsSeparator()) ascii(text.substr(at, segment.end() - at));
      at = segment.end();
    }
  }
  template <typename Visit>
  static void VisitAsciiSegment(std::string_view segment, const Visit& visit) {
    if (AsciiSegment(segment, 0).IsOneWord()) {
      VisitAscii(segment, visit);
    } else {
      ForEachAsciiPart(segment, [&](std::string_view part) { VisitAscii(part, visit); });
    }
  }
  template <typename Visit>
  void VisitOtherSegment(std::string_view segment, const Visit& visit) {
    analyzer_.Analyze(segment);
    for (const SegmentAnalyzer::Run& run : analyzer_.runs()) {
      word_.clear();
      if (run.kind == CharacterKind::kWord) {
        analyzer_.AppendSurface(run, &word_);
        VisitWord(word_, visit);
        continue;
      }
      analyzer_.AppendTokens(run, &word_);
      for (size_t begin = 0, end; begin < word_.size(); begin = end + 1) {
        end = std::min(word_.find(' ', begin), word_.size());
        VisitWord(std::string_view(word_).substr(begin, end - begin), visit);
      }
    }
  }

 private:
  // A word of ASCII letters and digits, in any case.
  template <typename Visit>
  static void VisitAscii(std::string_view word, const Visit& visit) {
    const size_t size = std::min(word.size(), kMaxTokenBytes);
    std::array<char, kMaxTokenBytes + 2> marked;
    marked[0] = '<';
    for (size_t i = 0; i < size; ++i) marked[i + 1] = ToAsciiLower(word[i]);
    marked[size + 1] = '>';
    if (!IsStopWord({marked.data() + 1, size})) visit(std::string_view(marked.data(), size + 2));
  }

  template <typename Visit>
  void VisitWord(std::string_view word, const Visit& visit) {
    if (word.empty() || IsStopWord(word)) return;
    marked_.assign(1, '<').append(word).push_back('>');
    visit(std::string_view(marked_));
  }

  SegmentAnalyzer analyzer_;
  std::string word_;
  std::string marked_;
};

}  // namespace recall
