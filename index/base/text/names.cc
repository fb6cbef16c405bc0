#include "index/base/text/names.h"

#include <algorithm>
#include <vector>

#include "index/base/text/fold.h"
#include "index/base/text/stop_words.h"
#include "index/base/text/token_limits.h"
#include "index/base/text/utf8.h"
#include "index/base/text/word_variants.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

// A segment ends at every byte of punctuation, so the parts of a name are separate segments, and
// its marks are lost: "C++", "C#" and "c" have the same tokens. NameFinder looks at the bytes
// around each segment. Most segments stand between blanks, so this is decided by two look-ups.
//
//   "see std::move."   see | std --"::"--> move   then '.' and the end: the name is std::move
//
// Whether a segment is joined to the next one is decided when it ends. The next segment is then the
// next call, so no state has to be given up.
//
// Increments (i++) look like C++, and get tokens as well: they cost little and are asked for by
// nobody.

// Longer names are seldom asked for, and most occur once.
constexpr size_t kMostParts = 3;
constexpr size_t kLeastBytes = 4;  // e.g, i.e, U.S
constexpr size_t kMostBytes = 32;
constexpr size_t kMostPathTokens = 16;
constexpr size_t kMostNameTokens = 32;  // with those of the title
constexpr std::string_view kPathMark = "\uE000";
constexpr std::string_view kHashMark = "\uE001";
constexpr std::string_view kDashMark = "\uE002";
constexpr std::string_view kDefinitionMark = "\uE009";
constexpr std::string_view kEntryMark = "\uE00A";
static_assert(kPathMark.size() == kHashMark.size() && kPathMark.size() == kDashMark.size());

// A byte of an ASCII segment, or one beyond ASCII.
bool IsWordByte(char c) { return IsAsciiAlnum(c) || c == '_' || static_cast<uint8_t>(c) >= 0x80; }
bool IsOneOf(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

// Calls visit(segment) for each segment.
template <typename Visit>
void ForEachSegment(std::string_view text, Visit visit) {
  size_t at = 0;
  for (std::string_view segment = NextSegment(text, &at); !segment.empty();
       segment = NextSegment(text, &at)) {
    visit(segment);
  }
}

}  // namespace

std::string_view NameFinder::AddTouching(size_t begin, size_t end) {
  if (!joined_) {
    first_ = begin;
    parts_ = 0;
  }
  ++parts_;
  joined_ = IsJoined(end);
  if (joined_) return {};
  return parts_ == 1 ? Marked(begin, end) : Joined(end);
}

// Whether a segment of words begins after a joint at `end`.
bool NameFinder::IsJoined(size_t end) const {
  size_t next = end;
  if (ByteAt(end) == '-' || (ByteAt(end) == '.' && !IsAsciiDigit(ByteAt(end + 1)))) {
    next = end + 1;
  } else if (ByteAt(end) == ':' && ByteAt(end + 1) == ':') {
    next = end + 2;
  }
  if (next == end || next >= text_.size()) return false;
  if (static_cast<uint8_t>(text_[next]) < 0x80) return IsWordByte(text_[next]);
  return KindBeforeFolding(DecodeUtf8(text_, &next)) == CharacterKind::kWord;
}

std::string_view NameFinder::Joined(size_t end) const {
  constexpr std::string_view kOfPaths = "/\\@";
  const size_t size = end - first_;
  if (parts_ > kMostParts || size < kLeastBytes || size > kMostBytes) return {};
  if (IsAsciiDigit(text_[first_])) return {};
  if (IsOneOf(ByteBefore(first_), kOfPaths) || IsOneOf(ByteAt(end), kOfPaths)) return {};
  return text_.substr(first_, size);
}

std::string_view NameFinder::Marked(size_t begin, size_t end) const {
  if (!IsAsciiLetter(text_[begin]) || end - begin > kMostBytes) return {};
  const char next = ByteAt(end);
  if (next == '+' && ByteAt(end + 1) == '+' && ByteAt(end + 2) != '+') {
    return text_.substr(begin, end + 2 - begin);
  }
  if (next == '#' && end == begin + 1 && !IsWordByte(ByteAt(end + 1)) && ByteAt(end + 1) != '#') {
    return text_.substr(begin, 2);
  }
  if (begin == 0) return {};
  const char mark = text_[begin - 1];
  const char before = ByteBefore(begin - 1);
  if ((mark == '.' || mark == '#') && IsOneOf(before, " \t\r\n([`/")) {
    return text_.substr(begin - 1, end + 1 - begin);
  }
  const bool is_option = mark == '-' && begin > 1 && before == '-';
  if (!is_option) return {};
  const char ahead = ByteBefore(begin - 2);
  if (IsWordByte(ahead) || ahead == '-') return {};
  return text_.substr(begin - 2, end + 2 - begin);
}

bool IsSegmentOfWords(std::string_view segment) {
  if (static_cast<uint8_t>(segment.front()) < 0x80) return true;
  size_t at = 0;
  return KindBeforeFolding(DecodeUtf8(segment, &at)) == CharacterKind::kWord;
}

bool IsMarkedName(std::string_view name) {
  return IsOneOf(name.front(), ".#-") || IsOneOf(name.back(), "+#");
}

void AppendNameToken(std::string_view name, SegmentAnalyzer& analyzer, std::string* out) {
  const size_t start = out->size();
  size_t stemmed = start;
  if (name.front() == '.') out->append("dot");
  if (IsOneOf(name.front(), "#-")) {
    out->append(name.front() == '#' ? kHashMark : kDashMark);
    stemmed = out->size();
  }
  bool is_word = true;
  ForEachSegment(name, [&](std::string_view segment) {
    analyzer.Analyze(segment);
    is_word = is_word && !analyzer.runs().empty();
    for (const SegmentAnalyzer::Run& run : analyzer.runs()) {
      is_word = is_word && run.kind == CharacterKind::kWord;
      analyzer.AppendSurface(run, out);
    }
  });
  if (!is_word) return out->resize(start);
  if (name.back() == '+') out->append("plusplus");
  if (name.back() == '#') out->append("sharp");
  out->resize(start + FloorToCharacter(std::string_view(*out).substr(start), kMaxTokenBytes));
  StemFrom(stemmed, out);
}

std::string PathToken(std::string_view stem, PathWordSet words) {
  constexpr size_t kLeastStemBytes = 2;
  if (stem.size() < kLeastStemBytes || stem.size() > kMaxTokenBytes - kPathMark.size()) return {};
  if (words == PathWordSet::kPaths && std::ranges::all_of(stem, IsAsciiDigit<char>)) return {};
  if (IsStopStem(stem)) return {};
  return std::string(kPathMark) + std::string(stem);
}

namespace {

std::string_view TextOf(DefinitionMark mark) {
  return mark == DefinitionMark::kDefinition ? kDefinitionMark : kEntryMark;
}

// Most names are ASCII, and the parts of an identifier are joined again in any case.
void AppendPlainDefinition(std::string_view name, DefinitionMark mark, std::string* out) {
  if (name.find_first_not_of('_') == std::string_view::npos) return;
  const size_t start = out->size();
  out->append(TextOf(mark));
  for (const char c : name) {
    if (c != '_') out->push_back(ToAsciiLower(c));
  }
  out->resize(std::min(out->size(), start + kMaxTokenBytes));
}

}  // namespace

void AppendDefinitionToken(std::string_view name, DefinitionMark mark, SegmentAnalyzer& analyzer,
                           std::string* out) {
  constexpr auto is_plain = [](char c) { return IsAsciiAlnum(c) || c == '_'; };
  if (std::ranges::all_of(name, is_plain)) return AppendPlainDefinition(name, mark, out);
  size_t at = 0;
  if (NextSegment(name, &at).size() != name.size()) return;
  const size_t start = out->size();
  out->append(TextOf(mark));
  const size_t word = out->size();
  analyzer.Analyze(name);
  for (const SegmentAnalyzer::Run& run : analyzer.runs()) {
    if (run.kind != CharacterKind::kWord) return out->resize(start);
    analyzer.AppendSurface(run, out);
  }
  if (out->size() == word) return out->resize(start);
  out->resize(start + FloorToCharacter(std::string_view(*out).substr(start), kMaxTokenBytes));
}

namespace {

// The last two components of a path, without the extension of the last one.
std::string_view NameOfPath(std::string_view path) {
  size_t begin = path.rfind('/');
  if (begin != std::string_view::npos && begin > 0) begin = path.rfind('/', begin - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  path.remove_prefix(begin);
  const size_t file = path.rfind('/') + 1;  // 0 if there is none
  const size_t dot = path.rfind('.');
  return dot != std::string_view::npos && dot > file ? path.substr(0, dot) : path;
}

// Collects the tokens of the words of names, each once.
class PathTokenList final {
 public:
  PathTokenList(PathWordSet words, SegmentAnalyzer& analyzer)
      : words_(words), analyzer_(analyzer) {}

  const std::vector<std::string>& tokens() const { return tokens_; }

  // Adds those of `name` until there are `most`.
  void Add(std::string_view name, size_t most) {
    most_ = most;
    ForEachSegment(name, [this](std::string_view segment) {
      if (tokens_.size() >= most_) return;
      analyzer_.Analyze(segment);
      for (const SegmentAnalyzer::Run& run : analyzer_.runs()) AddRun(run);
    });
  }

 private:
  // A word that has other spellings has their tokens, by which queries find all spellings.
  void AddRun(const SegmentAnalyzer::Run& run) {
    std::string stems;
    analyzer_.AppendTokens(run, &stems);
    std::vector<std::string> variants;
    const bool further = words_ == PathWordSet::kAndFurther && run.kind == CharacterKind::kWord;
    if (further)
      AddVariants({analyzer_.Raw(run), analyzer_.Folded(run)}, stems, VariantUse::kIndex,
                  &variants);
    for (const std::string& variant : variants) AddStem(variant);
    for (size_t at = 0, end; variants.empty() && at < stems.size(); at = end + 1) {
      end = std::min(stems.find(' ', at), stems.size());
      AddStem(std::string_view(stems).substr(at, end - at));
    }
    if (!further) return;
    for (const WordPiece& piece : HangulPieces(analyzer_.Folded(run))) AddStem(piece.token);
  }

  void AddStem(std::string_view stem) {
    std::string token = PathToken(stem, words_);
    const bool known = std::ranges::find(tokens_, token) != tokens_.end();
    if (token.empty() || known || tokens_.size() >= most_) return;
    tokens_.push_back(std::move(token));
  }

  const PathWordSet words_;
  SegmentAnalyzer& analyzer_;
  size_t most_ = 0;
  std::vector<std::string> tokens_;
};

}  // namespace

void AppendPathTokens(std::string_view path, std::string_view title, PathWordSet words,
                      SegmentAnalyzer& analyzer, std::string* out) {
  PathTokenList list(words, analyzer);
  list.Add(NameOfPath(path), kMostPathTokens);
  if (words == PathWordSet::kAndFurther) list.Add(title, kMostNameTokens);
  for (const std::string& token : list.tokens()) {
    if (!out->empty()) out->push_back(' ');
    out->append(token);
  }
}

}  // namespace recall
