#include "index/source/secrets/named_value.h"

#include <algorithm>

#include "index/source/secrets/secret_text.h"

namespace recall {
namespace {

// The problem: a value stands behind its name in a hundred notations: shell, YAML, JSON, XML, URLs,
// HTTP, tables, prose, and each of them within strings of JSON, where quotes and line breaks are
// escaped once or several times.
//
// The idea: one cursor goes from the name to the value over whatever notations put between them:
//
//   name  closers  spaces  separator  spaces  openers  value
//         \"'`]*           = : => :=          \"'`b"     up to the quote that fits, or a delimiter
//
// Each step is bounded, so the cost is that of the value.

constexpr size_t kMostNameBytes = 64;
constexpr size_t kMostSpaces = 24;
constexpr size_t kMostValueBytes = 4096;

bool IsNameByte(char c) { return IsSecretAlnum(c) || c == '_' || c == '-' || c == '.'; }

bool IsQuote(char c) { return c == '"' || c == '\'' || c == '`'; }

class ValueCursor final {
 public:
  explicit ValueCursor(std::string_view text) : text_(text) {}

  std::optional<NamedValue> Find(size_t begin, size_t end) {
    value_.name_begin = BeginOfName(begin);
    value_.name_end = EndOfName(end);
    is_flag_ = text_[value_.name_begin] == '-' && value_.name_begin < begin;
    is_line_ = BeginsLine(value_.name_begin);
    at_ = value_.name_end;
    // "API key of staging: ..."
    for (int word = 0; !Separate(); ++word) {
      size_t next = value_.name_end;
      if (word == 3 || !Is(next, ' ') || next + 1 >= text_.size() ||
          !IsSecretAlnum(text_[next + 1])) {
        return std::nullopt;
      }
      next = EndOfWord(next + 1);
      if (next - value_.name_begin > kMostNameBytes) return std::nullopt;
      value_.name_end = next;
      is_line_ = false;
      at_ = next;
    }
    if (!ReadValue()) return std::nullopt;
    return value_;
  }

 private:
  bool Is(size_t at, char c) const { return at < text_.size() && text_[at] == c; }
  bool Has(size_t at, std::string_view word) const {
    return at < text_.size() && text_.substr(at).starts_with(word);
  }
  bool HasLowered(size_t at, std::string_view word) const {
    if (at + word.size() > text_.size()) return false;
    for (size_t i = 0; i < word.size(); ++i) {
      if (SecretLowered(text_[at + i]) != word[i]) return false;
    }
    return true;
  }

  size_t BeginOfName(size_t keyword) const {
    size_t at = keyword;
    const size_t first = at - std::min(at, kMostNameBytes);
    while (at > first && IsNameByte(text_[at - 1])) --at;
    // `\ntoken`: the escape is not of the name.
    if (at > 0 && text_[at - 1] == '\\' && at < keyword &&
        std::string_view("nrt").find(text_[at]) != std::string_view::npos) {
      ++at;
    }
    return at;
  }

  size_t EndOfName(size_t at) const {
    const size_t last = std::min(text_.size(), at + kMostNameBytes);
    while (at < last && IsNameByte(text_[at])) ++at;
    while (at > value_.name_begin + 1 && (text_[at - 1] == '.' || text_[at - 1] == '-')) --at;
    return at;
  }

  // Also of a word that is not of ASCII alone.
  size_t EndOfWord(size_t at) const {
    size_t end = EndOfName(at);
    while (end < text_.size() && end < at + kMostNameBytes &&
           (static_cast<uint8_t>(text_[end]) >= 0x80 || IsSecretAlnum(text_[end]))) {
      ++end;
    }
    return end;
  }

  // Whether the number that a tool gave the line ends at `at`: `  12`, a tab or an arrow.
  bool IsLineNumber(size_t at) const {
    if (at >= 3 && text_.substr(at - 3, 3) == "\xE2\x86\x92") at -= 3;
    size_t digits = at;
    while (digits > 0 && at - digits < 7 && IsSecretDigit(text_[digits - 1])) --digits;
    if (digits == at) return false;
    while (digits > 0 && text_[digits - 1] == ' ') --digits;
    return digits == 0 || text_[digits - 1] == '\n';
  }

  // Whether only white space and words such as `export` precede the name in its line. `app:` of
  // `app:password` is of the name.
  bool BeginsLine(size_t at) const {
    if (at > 1 && text_[at - 1] == ':' && IsSecretAlnum(text_[at - 2])) at = BeginOfName(at - 1);
    for (int words = 0; words < 3; ++words) {
      while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
      if (at == 0 || text_[at - 1] == '\n' || text_[at - 1] == '\r') return true;
      if (IsLineNumber(at)) return true;
      if (at > 1 && text_[at - 2] == '\\' &&
          std::string_view("nr").find(text_[at - 1]) != std::string_view::npos)
        return true;
      bool word = false;
      for (const std::string_view before :
           {"--export", "export", "set", "setx", "SetEnv", "fastcgi_param", "ENV", "ARG", "-e", "-",
            "+", "local", "setenv", "env", "declare", "-x", "$"}) {
        if (at >= before.size() && text_.substr(at - before.size(), before.size()) == before) {
          at -= before.size();
          word = true;
          break;
        }
      }
      if (!word) return false;
    }
    return false;
  }

  // Whether the word at `at` is the last one of its line.
  bool EndsLineAfterWord(size_t at) const {
    const size_t last = std::min(text_.size(), at + kMostValueBytes);
    while (at<last&& static_cast<uint8_t>(text_[at])> 0x20) ++at;
    at = SkipSpaces(at);
    return at >= text_.size() || text_[at] == '\n' || text_[at] == '\r';
  }

  // Whether `name value` with one space between may be a setting, and no declaration of a program.
  bool IsSetting(size_t value) const {
    if (text_[value] == '*' || text_[value] == '&' || text_[value] == '%') return false;
    size_t end = value;
    while (end < text_.size() && static_cast<uint8_t>(text_[end]) > 0x20) ++end;
    if (text_[end - 1] != ';') return true;
    const std::string_view name =
        text_.substr(value_.name_begin, value_.name_end - value_.name_begin);
    return std::ranges::none_of(name, IsSecretLower);
  }

  size_t SkipSpaces(size_t at, size_t most = kMostSpaces) const {
    const size_t last = std::min(text_.size(), at + most);
    while (at < last && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    return at;
  }

  // Quotes with their backslashes, the ends of brackets and of emphasis.
  size_t SkipClosers(size_t at) const {
    const size_t last = std::min(text_.size(), at + 8);
    while (at < last && (IsQuote(text_[at]) || text_[at] == ']' || text_[at] == '*' ||
                         (text_[at] == '\\' && at + 1 < text_.size() &&
                          (IsQuote(text_[at + 1]) || text_[at + 1] == '\\')))) {
      ++at;
    }
    return at;
  }

  bool Separate() {
    size_t closed = SkipClosers(at_);
    if (closed > at_ && Has(closed, ">>")) closed += 2;  // a binary of Erlang
    if (closed > at_ && SeparateBySize(closed)) return true;
    const size_t at = SkipSpaces(closed);
    if (at >= text_.size()) return false;
    if (SeparateByValueWord(closed) || SeparateByTags()) return true;
    if (const size_t size = SizeOfSeparator(at); size > 0) {
      at_ = at + size;
      return true;
    }
    if (closed > at_ || at == closed) {
      // `>` of a tag; a table, a list of arguments.
      if (text_[at] == '>' && !Is(at + 1, '>') && !Is(at + 1, '=')) {
        at_ = SkipWhite(at + 1);
        return true;
      }
    }
    if (Has(at, "||") || Has(at, "??")) return SeparateByDefault(at + 2);
    if (text_[at] == ',' || text_[at] == '|') {
      value_.evidence = SecretEvidence::kMentioned;
      at_ = at + 1;
      return true;
    }
    if (text_[at] == '-' && Is(at + 1, '>')) {
      value_.evidence = SecretEvidence::kMentioned;
      at_ = at + 2;
      return true;
    }
    if (at == closed) return false;
    // Two columns, or two words: a name and its value, which ends the line.
    if (is_line_ && (at - closed >= 2 || IsSetting(at)) && EndsLineAfterWord(at)) {
      value_.evidence = SecretEvidence::kMentioned;
      at_ = at;
      return true;
    }
    // Behind spaces: a flag, a text in quotes, a verb.
    if (is_flag_) {
      at_ = at;
      return true;
    }
    for (const std::string_view verb :
         {"is ", "was ", "is: ", "are ", "ist ", "lautet ", "est ", "es "}) {
      if (HasLowered(at, verb)) {
        value_.evidence = SecretEvidence::kMentioned;
        at_ = at + verb.size();
        return true;
      }
    }
    if (closed == at_ && (IsQuote(text_[at]) ||
                          (text_[at] == '\\' && at + 1 < text_.size() && IsQuote(text_[at + 1])))) {
      value_.evidence = SecretEvidence::kMentioned;
      at_ = at;
      return true;
    }
    return false;
  }

  // `process.env.TOKEN || '...'`, `ENV['TOKEN'] ?? "..."`
  bool SeparateByDefault(size_t at) {
    at = SkipSpaces(at);
    size_t quote = at;
    while (quote < text_.size() && quote < at + 8 && text_[quote] == '\\') ++quote;
    if (quote >= text_.size() || !IsQuote(text_[quote])) return false;
    value_.evidence = SecretEvidence::kMentioned;
    at_ = at;
    return true;
  }

  // 0: none is there.
  size_t SizeOfSeparator(size_t at) const {
    for (const std::string_view separator :
         {":=", "=>", "===", "!==", "==", "!=", "||=", "?=", "?\?=", "+=", "=~", "%3D", "%3d",
          "%3A", "%3a", "\\u003d", "\\u003D", "\xEF\xBC\x9A", "&#61;"}) {
      if (Has(at, separator)) return separator.size();
    }
    if (text_[at] == '=') return 1;
    if (text_[at] == ':' && !Is(at + 1, ':')) return 1;
    return 0;
  }

  // Also over the number that a tool gave the next line.
  size_t SkipWhite(size_t at) const {
    const size_t last = std::min(text_.size(), at + 2 * kMostSpaces);
    while (at < last) {
      const char c = text_[at];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at;
        if (c == '\n') at = SkipLineNumber(at);
      } else {
        break;
      }
    }
    return at;
  }

  size_t SkipLineNumber(size_t at) const {
    size_t digits = SkipSpaces(at);
    const size_t begin = digits;
    while (digits < text_.size() && digits < begin + 7 && IsSecretDigit(text_[digits])) ++digits;
    return digits > begin && (Is(digits, '\t') || Has(digits, "\xE2\x86\x92")) ? digits : at;
  }

  // `<add key="password" value="..."/>`, `{"name": "TOKEN", "value": "..."}`, and the lines
  // `name: TOKEN` and `value: ...` of YAML.
  bool SeparateByValueWord(size_t closed) {
    size_t at = closed;
    const size_t last = std::min(text_.size(), closed + 2 * kMostSpaces);
    while (at < last) {
      const char c = text_[at];
      if (c == '\\' && at + 1 < last && (text_[at + 1] == 'n' || text_[at + 1] == 'r')) {
        at += 2;
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == '\\' ||
                 IsQuote(c)) {
        ++at;
        if (c == '\n') at = SkipLineNumber(at);
      } else {
        break;
      }
    }
    if (closed > at_ && !HasLowered(at, "value")) at = SkipMembers(at);
    if (at == closed || !HasLowered(at, "value")) return false;
    at = SkipSpaces(SkipClosers(at + 5));
    if (!Is(at, ':') && !Is(at, '=')) return false;
    is_line_ = text_[at] == ':';
    at_ = at + 1;
    return true;
  }

  // `: {"sensitive": true, "type": "string", "` and `"tags": null, "` of JSON, up to `value`. The
  // text between has no value in which a secret could be.
  size_t SkipMembers(size_t at) const {
    constexpr size_t kMostMemberBytes = 120;
    const size_t last = std::min(text_.size(), at + kMostMemberBytes);
    for (size_t next = at; next < last; ++next) {
      const char c = text_[next];
      if (IsQuote(text_[next - 1]) && HasLowered(next, "value")) return next;
      const bool between = IsNameByte(c) || IsQuote(c) ||
                           std::string_view(" \t\r\n\\:,{").find(c) != std::string_view::npos;
      if (!between) break;
    }
    return at;
  }

  // `s:8:"password";s:16:"..."`, as serialize() of PHP writes it.
  bool SeparateBySize(size_t closed) {
    if (!Has(closed, ";s:")) return false;
    size_t at = closed + 3;
    while (at < text_.size() && at < closed + 10 && IsSecretDigit(text_[at])) ++at;
    if (!Is(at, ':')) return false;
    at_ = at + 1;
    return true;
  }

  // `<Password Type="text">`, and `<key>password</key> <string>`: the value is in this element, or
  // in the next one.
  bool SeparateByTags() {
    constexpr size_t kMostTagBytes = 200;
    size_t at = at_;
    if (Is(at, ' ') && IsOfTag()) {
      const size_t end = EndOfTag(at, kMostTagBytes);
      if (end == 0 || text_[end - 2] == '/') return false;
      at_ = end;
      return true;
    }
    if (!Has(at, "</")) return false;
    at = EndOfTag(at, kMostTagBytes);
    if (at == 0) return false;
    at = SkipWhite(at);
    if (!Is(at, '<') || Is(at + 1, '/')) return false;
    at = EndOfTag(at, kMostTagBytes);
    if (at == 0) return false;
    at_ = at;
    return true;
  }

  // Whether the name is that of an element: `<password`, `<wsse:Password`.
  bool IsOfTag() const {
    size_t at = value_.name_begin;
    if (at > 1 && text_[at - 1] == ':') at = BeginOfName(at - 1);
    return at > 0 && text_[at - 1] == '<';
  }

  // Behind the `>` of a tag; 0: there is none near.
  size_t EndOfTag(size_t at, size_t most) const {
    const size_t last = std::min(text_.size(), at + most);
    for (size_t next = at + 1; next < last; ++next) {
      if (text_[next] == '>') return next + 1;
      if (text_[next] == '<' || text_[next] == '\n') return 0;
    }
    return 0;
  }

  bool ReadValue() {
    SkipDumpedType();
    SkipType();
    at_ = SkipSpaces(at_);
    SkipBlockMarks();
    // `<b>Password:</b> ...`
    if (Has(at_, "</")) {
      const size_t end = EndOfTag(at_, 16);
      if (end > 0) at_ = SkipSpaces(end);
    }
    for (int prefix = 0; prefix < 2; ++prefix) {
      while (Is(at_, '*')) ++at_;
      at_ = SkipSpaces(at_);
      if (ReadQuoted()) return true;
      if (!SkipPrefix()) break;
    }
    return ReadPlain();
  }

  // `string(20)` in the next line, as var_dump() of PHP prints it.
  void SkipDumpedType() {
    const size_t at = SkipWhite(at_);
    if (!Is(at_, '\n') || !Has(at, "string(")) return;
    const size_t close = text_.substr(at, 20).find(") ");
    if (close != text_.npos) at_ = at + close + 2;
  }

  // `string =` behind the colon of `key: string = "..."`.
  void SkipType() {
    if (at_ == 0 || text_[at_ - 1] != ':') return;
    constexpr size_t kMostTypeBytes = 40;
    for (size_t at = at_; at < std::min(text_.size(), at_ + kMostTypeBytes); ++at) {
      const char c = text_[at];
      if (c == '=' && at > at_ && text_[at - 1] == ' ' && !Is(at + 1, '=') && !Is(at + 1, '>')) {
        at_ = at + 1;
        is_line_ = false;
        return;
      }
      if (!IsNameByte(c) && std::string_view(" &<>[]?|:'").find(c) == std::string_view::npos)
        return;
    }
  }

  // `|` and `>-` of YAML, `(` of an expression and `\` of a shell, before a line break.
  void SkipBlockMarks() {
    if (SkipHereDocument()) return;
    size_t at = at_;
    while (at < text_.size() && at < at_ + 2 &&
           std::string_view("|>-+(\\").find(text_[at]) != std::string_view::npos)
      ++at;
    if (at == at_) return;
    const size_t line = SkipSpaces(at);
    if (Is(line, '\n') || Is(line, '\r')) {
      at_ = SkipWhite(line);
      is_line_ = false;
    } else if (text_[at_] == '(') {
      at_ = line;
    }
  }

  // `<<EOT` and a line break.
  bool SkipHereDocument() {
    if (!Has(at_, "<<")) return false;
    size_t at = at_ + 2;
    while (at < text_.size() && at < at_ + 24 &&
           (IsNameByte(text_[at]) || IsQuote(text_[at]) || text_[at] == '~'))
      ++at;
    if (at == at_ + 2 || !Is(at, '\n')) return false;
    at_ = SkipWhite(at);
    is_line_ = true;
    return true;
  }

  // Letters before a quote (`b"`), and the schemes of authorization.
  bool SkipPrefix() {
    // `&anchor` and `!tag` of YAML.
    if (at_ > 1 && text_[at_ - 1] == ' ' && text_[at_ - 2] == ':' &&
        (Is(at_, '&') || Is(at_, '!'))) {
      size_t end = at_ + 1;
      while (end < text_.size() && end < at_ + 40 && IsNameByte(text_[end])) ++end;
      if (end == at_ + 1 || !Is(end, ' ')) return false;
      at_ = end + 1;
      return true;
    }
    if (Has(at_, "<<\"")) {  // a binary of Erlang
      at_ += 2;
      return true;
    }
    // The address of a string, as a debugger prints it.
    if (Has(at_, "0x")) {
      size_t end = at_ + 2;
      while (end < text_.size() && end < at_ + 20 && IsSecretHex(text_[end])) ++end;
      if (!Is(end, ' ') ||
          !(IsQuote(text_[end + 1 < text_.size() ? end + 1 : end]) || Is(end + 1, '\\')))
        return false;
      at_ = end + 1;
      return true;
    }
    if (at_ + 1 < text_.size() &&
        std::string_view("bBrRfFuUN@$L").find(text_[at_]) != std::string_view::npos &&
        IsQuote(text_[at_ + 1])) {
      ++at_;
      return true;
    }
    for (const std::string_view scheme : {"bearer ", "basic ", "token ", "bot ", "ssws ", "apikey ",
                                          "api-key ", "!!str ", "bearer%20", "just "}) {
      if (!HasLowered(at_, scheme)) continue;
      at_ = SkipSpaces(at_ + scheme.size());
      return true;
    }
    return false;
  }

  // `= [[...]]` of Lua.
  bool ReadLongBrackets() {
    if (!Has(at_, "[[") || at_ < 2 || (text_[at_ - 1] != '=' && text_[at_ - 2] != '='))
      return false;
    const size_t size = text_.substr(at_ + 2, kMostValueBytes).find_first_of("]\n");
    return size != text_.npos && Has(at_ + 2 + size, "]]") && Take(at_ + 2, at_ + 2 + size);
  }

  bool ReadQuoted() {
    if (ReadLongBrackets()) return true;
    size_t quote = at_;
    while (quote < text_.size() && quote < at_ + 8 && text_[quote] == '\\') ++quote;
    if (quote >= text_.size() || !IsQuote(text_[quote])) return false;
    const size_t escapes = quote - at_;
    const char mark = text_[quote];
    size_t begin = quote + 1;
    if (escapes == 0 && Is(begin, mark) && Is(begin + 1, mark)) begin += 2;
    size_t backslashes = 0;
    const size_t last = std::min(text_.size(), begin + kMostValueBytes);
    for (size_t at = begin; at < last; ++at) {
      const char c = text_[at];
      if (c == '\\') {
        ++backslashes;
        continue;
      }
      const bool escaped = escapes == 0 ? backslashes % 2 == 1 : backslashes > escapes;
      if (c == mark && !escaped) {
        const size_t close = at - std::min(backslashes, escapes);
        return Take(begin, close);
      }
      if (c == '\n') break;
      backslashes = 0;
    }
    at_ = begin;
    return false;
  }

  // Whether a value without quotes ends at `at`.
  bool EndsPlain(size_t at) const {
    const char c = text_[at];
    const auto byte = static_cast<uint8_t>(c);
    if (byte <= 0x20 || byte >= 0x7F || IsQuote(c)) return true;
    if (c == '\\') {
      return at + 1 < text_.size() &&
             std::string_view("nrtu\"'\\/").find(text_[at + 1]) != std::string_view::npos;
    }
    if (c == '<') return true;
    if (c == '&' || c == ';') {
      // The next parameter, or the end of the command.
      size_t next = at + 1;
      if (c == ';') next = SkipSpaces(next);
      if (!is_line_) return true;
      const size_t name = next;
      while (next < text_.size() && next < name + 40 &&
             (IsNameByte(text_[next]) || text_[next] == ' '))
        ++next;
      return next == text_.size() || text_[next] == '=' || text_[next] == '\n';
    }
    return !is_line_ && std::string_view(",|(){}[]>").find(c) != std::string_view::npos;
  }

  bool ReadPlain() {
    const size_t begin = at_;
    const size_t last = std::min(text_.size(), begin + kMostValueBytes);
    size_t end = begin;
    while (end < last && !EndsPlain(end)) ++end;
    size_t bracket = begin;
    while (bracket < end && IsNameByte(text_[bracket])) ++bracket;
    if (bracket > begin && Is(bracket, '(') && bracket + 1 < text_.size() &&
        (IsQuote(text_[bracket + 1]) || text_[bracket + 1] == '\\')) {
      return ReadArgument(bracket);
    }
    const bool assigned = begin > 0 && text_[begin - 1] == '=';
    const std::string_view trailing = is_line_ ? ",;" : assigned ? ".,;:" : ".,;:!?";
    while (end > begin && trailing.find(text_[end - 1]) != trailing.npos) --end;
    return Take(begin, end);
  }

  // `SecretStr("...")`
  bool ReadArgument(size_t bracket) {
    at_ = bracket + 1;
    is_line_ = false;
    return ReadQuoted();
  }

  bool Take(size_t begin, size_t end) {
    value_.begin = begin;
    value_.end = end;
    return end > begin;
  }

  std::string_view text_;
  NamedValue value_;
  size_t at_ = 0;
  bool is_flag_ = false;
  bool is_line_ = false;
};

}  // namespace

std::optional<NamedValue> ValueOfName(std::string_view text, size_t begin, size_t end) {
  return ValueCursor(text).Find(begin, end);
}

}  // namespace recall
