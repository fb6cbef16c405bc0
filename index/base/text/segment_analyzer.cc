#include "index/base/text/segment_analyzer.h"

#include <algorithm>

#include "index/base/text/identifier_parts.h"
#include "index/base/text/porter.h"
#include "index/base/text/token_limits.h"
#include "index/base/text/utf8.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

// The slow path of the tokenizer: it divides one segment, a run of text without separators,
// into tokens. Most segments of a text are in the tokenizer's cache or plain ASCII and do not come
// here.
//
//   "fooBar_Ünit"   --'_'-->    fooBar | Ünit
//                   --case-->   foo | Bar | Ünit                  parts (CaseDivision)
//                   --fold-->   foo | bar | unit                  folded characters (fold.h)
//                   --kind-->   one run per part                  runs: word or bigram
//                   --stem-->   foo | bar | unit, whole: foobarunit
//
// A part usually gives one run. It gives several if folding produces characters of another kind, as
// in a compatibility character that decomposes to letters and punctuation. A run of a script
// without spaces gives overlapping bigrams, and a single such character gives itself as a token.
//
// A segment is an identifier if it has two or more parts, and each part is one run of word
// characters. Its whole, without underscores, is an additional token, so that "foobar" finds
// "fooBar" and vice versa.
//
// Invariants: each run remembers the characters of the segment it was folded from, for
// highlighting. A token has at most kMaxTokenBytes bytes and is cut at a character. A mark without
// a base letter is not part of any run.

// Appends the UTF-8 form of `text` to the token that starts at `start`, up to kMaxTokenBytes.
void AppendWithinToken(std::u32string_view text, size_t start, std::string* out) {
  for (const char32_t c : text) {
    const size_t before = out->size();
    AppendUtf8(c, out);
    if (out->size() - start > kMaxTokenBytes) {
      out->resize(before);
      return;
    }
  }
}

}  // namespace

void StemFrom(size_t start, std::string* out) {
  if (!std::ranges::all_of(std::string_view(*out).substr(start), IsAsciiLower<char>)) return;
  const size_t size = out->size() - start;
  out->push_back('\0');  // room for a new "e"
  out->resize(start + PorterStem(out->data() + start, size));
}

std::string_view NextSegment(std::string_view text, size_t* position) {
  size_t begin = *position;
  size_t at = begin;
  CharacterKind kind = CharacterKind::kSeparator;
  while (at < text.size()) {
    const size_t character = at;
    const uint32_t code_point = DecodeUtf8(text, &at);
    const CharacterKind next =
        code_point == '_' ? CharacterKind::kWord : KindBeforeFolding(code_point);
    if (kind == CharacterKind::kSeparator) {
      if (next == CharacterKind::kSeparator || next == CharacterKind::kInvisible) continue;
      begin = character;
      kind = next;
    } else if (next != kind && next != CharacterKind::kInvisible) {
      *position = character;
      return text.substr(begin, character - begin);
    }
  }
  *position = text.size();
  return kind == CharacterKind::kSeparator ? std::string_view() : text.substr(begin);
}

void SegmentAnalyzer::Analyze(std::string_view segment) {
  raw_.clear();
  folded_.clear();
  runs_.clear();
  parts_ = 0;
  constexpr auto is_plain = [](char c) { return IsAsciiAlnum(c) || c == '_'; };
  is_ascii_ = std::ranges::all_of(segment, is_plain);
  if (is_ascii_) return AnalyzeAscii(segment);
  for (size_t at = 0; at < segment.size();) raw_.push_back(DecodeUtf8(segment, &at));
  for (size_t begin = 0; begin < raw_.size();) {
    const size_t end = std::min(raw_.find(U'_', begin), raw_.size());
    AddParts(begin, end);
    begin = end + 1;
  }
  const auto is_word = [](const Run& run) { return run.kind == CharacterKind::kWord; };
  identifier_ = parts_ > 1 && runs_.size() == parts_ && std::ranges::all_of(runs_, is_word);
}

// Each part of ASCII is one run, and folding makes it lower case.
void SegmentAnalyzer::AnalyzeAscii(std::string_view segment) {
  ascii_ = segment;
  folded_ascii_ = segment;
  char* const folded = folded_ascii_.data();
  size_t end = 0;
  ForEachAsciiPart(segment, [&](std::string_view part) {
    const size_t begin = end;
    for (const char c : part) folded[end++] = ToAsciiLower(c);
    const auto from = static_cast<size_t>(part.data() - segment.data());
    runs_.push_back({CharacterKind::kWord, begin, end, from, from + part.size()});
  });
  folded_ascii_.resize(end);
  parts_ = runs_.size();
  identifier_ = parts_ > 1;
}

void SegmentAnalyzer::Widen() const {
  if (!raw_.empty()) return;
  raw_.assign(ascii_.begin(), ascii_.end());
  folded_.assign(folded_ascii_.begin(), folded_ascii_.end());
}

// Divides the text between underscores by case.
void SegmentAnalyzer::AddParts(size_t begin, size_t end) {
  const std::u32string_view raw = std::u32string_view(raw_).substr(begin, end - begin);
  CaseDivision(raw).ForEachPart(
      [&](size_t part_begin, size_t part_end) { AddPart(begin + part_begin, begin + part_end); });
}

// Folds a part and finds its runs.
void SegmentAnalyzer::AddPart(size_t begin, size_t end) {
  const size_t folded_begin = folded_.size();
  FoldAppend(std::u32string_view(raw_).substr(begin, end - begin), &folded_);
  ++parts_;
  CharacterKind kind = CharacterKind::kSeparator;
  for (size_t i = folded_begin; i < folded_.size(); ++i) {
    const CharacterKind next = KindAfterFolding(folded_[i]);
    if (next == kind && kind != CharacterKind::kSeparator) {
      runs_.back().end = i + 1;
      continue;
    }
    const bool stray_mark = next == CharacterKind::kWord && IsMark(folded_[i]);
    kind = stray_mark ? CharacterKind::kSeparator : next;
    if (kind != CharacterKind::kSeparator) runs_.push_back({kind, i, i + 1, begin, end});
  }
}

void SegmentAnalyzer::AppendSurface(const Run& run, std::string* out) const {
  if (is_ascii_) {
    out->append(folded_ascii_, run.begin, std::min(run.end - run.begin, kMaxTokenBytes));
    return;
  }
  AppendWithinToken(std::u32string_view(folded_).substr(run.begin, run.end - run.begin),
                    out->size(), out);
}

uint32_t SegmentAnalyzer::AppendTokens(const Run& run, std::string* out) const {
  if (run.kind == CharacterKind::kWord || run.end - run.begin == 1) {
    const size_t start = out->size();
    AppendSurface(run, out);
    StemFrom(start, out);
    return 1;
  }
  for (size_t i = run.begin; i + 1 < run.end; ++i) {
    if (i > run.begin) out->push_back(' ');
    AppendUtf8(folded_[i], out);
    AppendUtf8(folded_[i + 1], out);
  }
  return static_cast<uint32_t>(run.end - run.begin - 1);
}

void SegmentAnalyzer::AppendWhole(std::string* out) const {
  const size_t start = out->size();
  if (is_ascii_) {
    out->append(folded_ascii_, 0, kMaxTokenBytes);
    return StemFrom(start, out);
  }
  for (const Run& run : runs_) {
    AppendWithinToken(std::u32string_view(folded_).substr(run.begin, run.end - run.begin), start,
                      out);
  }
  StemFrom(start, out);
}

}  // namespace recall
