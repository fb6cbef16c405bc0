#include "index/subword/text_pattern.h"

#include <re2/re2.h>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

// The members of classes that RE2 defines for ASCII only, in the syntax of a bracket expression.
constexpr std::string_view kSpaceMembers =
    R"(\x{9}-\x{d}\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
constexpr std::string_view kWordMembers =
    R"(\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{b2}\x{b3}\x{b9}\x{bc}-\x{be}\x{24b6}-\x{24e9})"
    R"(\x{1f130}-\x{1f149}\x{1f150}-\x{1f169}\x{1f170}-\x{1f189})";
constexpr std::string_view kDigitMembers = R"(\p{Nd})";

// White space; its last character is left to the following word, if there is one.
constexpr std::string_view kEnding = R"(\s+(?!\S)|\s+)";
constexpr std::string_view kSpaceGroup = "space";

Status CannotEvaluate(std::string_view expression) {
  return UnknownTokenizerKind("regular expression", expression);
}

std::string_view MembersOf(char letter) {
  switch (letter | 0x20) {
    case 's':
      return kSpaceMembers;
    case 'w':
      return kWordMembers;
    case 'd':
      return kDigitMembers;
    default:
      return {};
  }
}

// Translates an expression to RE2's syntax from beginning to end.
class Translator final {
 public:
  explicit Translator(std::string_view rest) : rest_(rest) {}

  bool Run(std::string* out) {
    while (!rest_.empty()) {
      if (!Step(out)) return false;
    }
    return !in_brackets_;
  }

 private:
  bool Step(std::string* out) {
    const char c = rest_[0];
    if (c == '\\') return Escape(out);
    if (in_brackets_) {
      // RE2 has no nested sets and intersections.
      if (c == '[' || rest_.starts_with("&&")) return false;
      if (c == ']') in_brackets_ = false;
      return Take(1, out);
    }
    if (c == '[') {
      in_brackets_ = true;
      const size_t size = rest_.starts_with("[^") ? 2 : 1;
      // A first bracket is a member in RE2 but ends the set in Oniguruma.
      if (rest_.substr(size).starts_with("]")) return false;
      return Take(size, out);
    }
    if (rest_.starts_with("(?")) return Group(out);
    // A plus after another quantifier makes it possessive, which RE2 does not have.
    if (c == '+' && after_quantifier_) return false;
    const bool quantifier = c == '*' || c == '+' || c == '?';
    Take(1, out);
    after_quantifier_ = quantifier;
    return true;
  }

  bool Group(std::string* out) {
    for (const std::string_view known : {"(?:", "(?i:", "(?i)"}) {
      if (rest_.starts_with(known)) return Take(known.size(), out);
    }
    return false;  // look-around, named groups, atomic groups
  }

  bool Escape(std::string* out) {
    if (rest_.size() < 2) return false;
    const char letter = rest_[1];
    const std::string_view members = MembersOf(letter);
    if (!members.empty()) {
      const bool negated = letter >= 'A' && letter <= 'Z';
      if (in_brackets_ && negated) return false;
      if (in_brackets_) {
        out->append(members);
      } else {
        out->append(negated ? "[^" : "[").append(members).append("]");
      }
      rest_.remove_prefix(2);
      after_quantifier_ = false;
      return true;
    }
    const bool is_letter = (letter | 0x20) >= 'a' && (letter | 0x20) <= 'z';
    const bool is_digit = letter >= '0' && letter <= '9';
    if (is_digit || static_cast<unsigned char>(letter) >= 0x80) return false;
    if (is_letter && std::string_view("rntfvpPxAz").find(letter) == std::string_view::npos) {
      return false;
    }
    return Take(2, out);
  }

  bool Take(size_t size, std::string* out) {
    out->append(rest_.substr(0, size));
    rest_.remove_prefix(size);
    after_quantifier_ = false;
    return true;
  }

  std::string_view rest_;
  bool in_brackets_ = false;
  bool after_quantifier_ = false;
};

}  // namespace

Result<std::string> TranslateExpression(std::string_view expression) {
  std::string_view body = expression;
  bool has_ending = body.ends_with(kEnding);
  if (has_ending) {
    body.remove_suffix(kEnding.size());
    if (!body.empty() && !body.ends_with('|')) return Fail(CannotEvaluate(expression));
    if (body.ends_with("\\|")) return Fail(CannotEvaluate(expression));
  }
  // Anchors match at lines, as in Oniguruma.
  std::string translated = "(?m)";
  if (!Translator(body).Run(&translated)) return Fail(CannotEvaluate(expression));
  if (has_ending) {
    translated.append("(?P<").append(kSpaceGroup).append(">[").append(kSpaceMembers).append("]+)");
  }
  return translated;
}

TextPattern::TextPattern() = default;
TextPattern::TextPattern(TextPattern&&) noexcept = default;
TextPattern& TextPattern::operator=(TextPattern&&) noexcept = default;
TextPattern::~TextPattern() = default;

Result<TextPattern> TextPattern::Make(const Json& pattern) {
  TextPattern made;
  if (FindField(pattern, "String") != nullptr) {
    RECALL_ASSIGN(made.literal_, ReadText(pattern, "String", ""));
    return made;
  }
  if (FindField(pattern, "Regex") == nullptr) return Fail(BadTokenizerField("pattern"));
  RECALL_ASSIGN(const std::string expression, ReadText(pattern, "Regex", ""));
  RECALL_ASSIGN(const std::string translated, TranslateExpression(expression));
  re2::RE2::Options options;
  options.set_log_errors(false);
  made.expression_ = std::make_unique<re2::RE2>(translated, options);
  if (!made.expression_->ok()) return Fail(CannotEvaluate(expression));
  const auto& groups = made.expression_->NamedCapturingGroups();
  const auto found = groups.find(std::string(kSpaceGroup));
  if (found != groups.end()) made.space_group_ = found->second;
  return made;
}

void TextPattern::FindAll(std::string_view text, Matches* matches) const {
  matches->clear();
  if (expression_ == nullptr) {
    if (literal_.empty()) return;
    for (size_t at = text.find(literal_); at != text.npos; at = text.find(literal_, at)) {
      matches->emplace_back(at, at + literal_.size());
      at += literal_.size();
    }
    return;
  }
  const re2::StringPiece whole(text.data(), text.size());
  std::vector<re2::StringPiece> groups(static_cast<size_t>(space_group_) + 1);
  for (size_t position = 0; position < text.size();) {
    if (!expression_->Match(whole, position, text.size(), re2::RE2::UNANCHORED, groups.data(),
                            static_cast<int>(groups.size()))) {
      return;
    }
    const size_t begin = static_cast<size_t>(groups[0].data() - text.data());
    size_t end = begin + groups[0].size();
    if (begin == end) {  // an empty match: continue at the next character
      position = end;
      if (position < text.size()) DecodeUtf8(text, &position);
      continue;
    }
    if (space_group_ != 0 && groups.back().data() != nullptr && end < text.size()) {
      const size_t last = FloorToCharacter(text, end - 1);
      if (last > begin) end = last;
    }
    matches->emplace_back(begin, end);
    position = end;
  }
}

}  // namespace recall
