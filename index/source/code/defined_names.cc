#include "index/source/code/defined_names.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "index/source/chunk/parser.h"
#include "index/source/chunk/path_extension.h"
#include "index/source/code/definition_words.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

// Problem. Who searches for EINVAL or fuse_candidates wants the place that defines it, and hundreds
// of chunks use it more often. A grammar finds definitions, but most languages have none here, and
// a build without grammars has none at all.
//
// Idea. Definitions are written to be seen: at the beginning of a line, after one of a few words,
// or in a few forms. Each rule looks at one line, and is strict about what follows the name,
// because "class of" and "type inference" begin lines of prose.
//
//   words before the name   pub(crate) async fn NAME(     the last of them says what it is
//   no such word            static int NAME(int a,        at the margin; in headers also members
//   a value                 kName = 3                     at the margin
//   an item                 NAME = 3,                     within the braces of an enum
//   an entry                ## `NAME`   NAME: text        of documentation
//
// A wrong name costs little: it counts only for a query that asks for this name.
//
// Cost: lines that begin with punctuation or are indented deeply are skipped after a few bytes.

constexpr size_t kLeastName = 2;
constexpr size_t kMostName = 64;
constexpr size_t kMostIndent = 12;
constexpr size_t kMemberIndent = 4;  // a tab counts like this

using CodeText = std::string_view;

template <size_t kCount>
bool IsOneOfWords(const CodeText (&words)[kCount], CodeText word) {
  return std::ranges::find(words, word) != std::end(words);
}

// What may follow the name of a type.
constexpr CodeText kAfterTypeWords[] = {"extends", "implements", "final",    "is",        "where",
                                        "with",    "do",         "struct",   "interface", "func",
                                        "derives", "permits",    "abstract", "sealed",    "as"};

bool IsByteOfName(char c) { return IsAsciiAlnum(c) || c == '_' || static_cast<uint8_t>(c) >= 0x80; }
bool BeginsName(char c) { return IsByteOfName(c) && !IsAsciiDigit(c); }
// A byte that no signature of a function has before its parameters.
bool IsOfNoSignature(char c) {
  switch (c) {
    case '=':
    case '"':
    case '\'':
    case '.':
    case ',':
    case ';':
    case '{':
    case '}':
    case '+':
    case '/':
    case '|':
    case '!':
    case '?':
    case '%':
      return true;
    default:
      return false;
  }
}
bool IsLineBlank(char c) { return c == ' ' || c == '\t'; }

CodeText SkipBlanks(CodeText text) {
  while (!text.empty() && IsLineBlank(text.front())) text.remove_prefix(1);
  return text;
}
CodeText TrimLineEnd(CodeText text) {
  while (!text.empty() && (IsLineBlank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}
char FirstOf(CodeText text) { return text.empty() ? '\n' : text.front(); }
char LastOf(CodeText text) { return text.empty() ? '\n' : text.back(); }

// Removes and returns the name at the beginning of `text`; empty if there is none.
CodeText TakeName(CodeText* text) {
  if (text->empty() || !BeginsName(text->front())) return {};
  size_t end = 1;
  while (end < text->size() && IsByteOfName((*text)[end])) ++end;
  if (end < text->size() && (*text)[end] == '!' && text->substr(0, end) == "macro_rules") ++end;
  const CodeText name = text->substr(0, end);
  text->remove_prefix(end);
  return name;
}

// The name that ends `text`; empty if there is none.
CodeText NameAtEnd(CodeText text) {
  size_t begin = text.size();
  while (begin > 0 && IsByteOfName(text[begin - 1])) --begin;
  const CodeText name = text.substr(begin);
  return !name.empty() && BeginsName(name.front()) ? name : CodeText();
}

bool IsAllCapitals(CodeText name) {
  return name.size() >= 3 && std::ranges::none_of(name, IsAsciiLower<char>) &&
         std::ranges::any_of(name, IsAsciiUpper<char>);
}
// Whether a word is hardly one of prose: it has `_`, a digit, a capital inside or only capitals.
bool LooksLikeCode(CodeText name) {
  if (name.find('_') != CodeText::npos || IsAllCapitals(name)) return true;
  for (size_t i = 1; i < name.size(); ++i) {
    if (IsAsciiDigit(name[i]) || (IsAsciiUpper(name[i]) && IsAsciiLower(name[i - 1]))) return true;
  }
  return false;
}

// Skips "(...)", "<...>" or "[...]" at the beginning of a text, to the matching end or the last
// one.
CodeText SkipBrackets(CodeText text) {
  if (text.empty()) return text;
  const char open = text.front();
  const char close = open == '(' ? ')' : open == '<' ? '>' : ']';
  if (open != '(' && open != '<' && open != '[') return text;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return text.substr(i + 1);
  }
  return {};
}

class NameScan final {
 public:
  NameScan(CodeText text, TextKind kind) : text_(text), kind_(kind) {}

  std::vector<DefinedName> Run() {
    for (size_t at = 0; at < text_.size();) {
      size_t end = text_.find('\n', at);
      if (end == CodeText::npos) end = text_.size();
      next_ = std::min(end + 1, text_.size());
      has_comment_mark_ = FindCommentMark(at) < end;
      ReadLine(text_.substr(at, end - at));
      at = next_;
    }
    return std::move(names_);
  }

 private:
  bool is_c() const { return kind_ == TextKind::kC || kind_ == TextKind::kHeader; }
  bool is_code() const { return IsSourceCode(kind_); }
  // Whether the next line begins with `{`.
  bool BodyFollows() const { return FirstOf(SkipBlanks(text_.substr(next_))) == '{'; }

  void Add(CodeText name, bool is_entry = false) {
    if (name.size() < kLeastName || name.size() > kMostName) return;
    names_.push_back({name, is_entry});
  }

  // A request of a manual page after which a term is defined.
  static bool BeginsTerm(CodeText code) { return code == ".TP" || code.starts_with(".TP "); }

  void ReadLine(CodeText line) {
    size_t bytes = 0;
    size_t columns = 0;
    while (bytes < line.size() && IsLineBlank(line[bytes])) {
      columns += line[bytes++] == '\t' ? kMemberIndent : 1;
    }
    const CodeText code = TrimLineEnd(line.substr(bytes));
    const bool after_tp = std::exchange(after_tp_, FirstOf(code) == '.' && BeginsTerm(code));
    if (code.empty() || columns > kMostIndent) return;
    const char first = code.front();
    if (first == '#') return ReadHash(code, columns);
    if (is_code()) {
      if (!IsInComment(code)) ReadCode(code, columns);
      return;
    }
    if (columns == 0) ReadProse(code, after_tp);
  }

  // Where the first "/*" or "*/" at or after `at` has its slash; lines are asked for in order.
  size_t FindCommentMark(size_t at) {
    if (comment_mark_ != CodeText::npos && comment_mark_ >= at) return comment_mark_;
    if (comment_mark_ == CodeText::npos && at > 0) return comment_mark_;
    const auto is_star = [this](size_t i) { return i < text_.size() && text_[i] == '*'; };
    comment_mark_ = text_.find('/', at);
    while (comment_mark_ != CodeText::npos && !is_star(comment_mark_ + 1) &&
           !(comment_mark_ > 0 && is_star(comment_mark_ - 1))) {
      comment_mark_ = text_.find('/', comment_mark_ + 1);
    }
    return comment_mark_;
  }

  // Whether the line is of a block comment that began before it.
  bool IsInComment(CodeText code) {
    const bool inside = in_comment_;
    if (!has_comment_mark_) return inside;
    const size_t begin = code.rfind("/*");
    const size_t end = code.rfind("*/");
    if (begin != CodeText::npos && (end == CodeText::npos || end < begin)) in_comment_ = true;
    if (end != CodeText::npos && (begin == CodeText::npos || end > begin)) in_comment_ = false;
    return inside;
  }

  void ReadHash(CodeText code, size_t columns) {
    if (kind_ == TextKind::kMarkdown && columns == 0) return ReadHeading(code);
    CodeText rest = SkipBlanks(code.substr(1));
    const CodeText unless = std::exchange(unless_, {});
    if (!rest.starts_with("define")) {
      const bool substitutes = rest.starts_with("ifndef ") || rest.starts_with("undef ") ||
                               rest.find("!defined") != CodeText::npos;
      if (substitutes) unless_ = rest;
      return;
    }
    rest = rest.substr(6);
    if (!IsLineBlank(FirstOf(rest))) return;
    rest = SkipBlanks(rest);
    const CodeText name = TakeName(&rest);
    const bool is_guard = rest.empty() && (name.ends_with("_H") || name.ends_with("_H_") ||
                                           name.ends_with("_H__") || name.ends_with("_HPP"));
    // Where another file defines it, this is a substitute.
    if (!is_guard) Add(name, unless.find(name) != CodeText::npos);
  }

  // "## `name(arguments)`": a heading of one name.
  void ReadHeading(CodeText code) {
    code = SkipBlanks(code.substr(std::min(code.find_first_not_of('#'), code.size())));
    const bool marked = FirstOf(code) == '`';
    if (marked) code.remove_prefix(1);
    const CodeText name = TakeName(&code);
    if (FirstOf(code) == '(') code = SkipBrackets(code);
    if (marked && FirstOf(code) == '`') code.remove_prefix(1);
    if (SkipBlanks(code).empty()) Add(name, true);
  }

  void ReadProse(CodeText code, bool after_tp) {
    if (after_tp &&
        (code.starts_with(".B ") || code.starts_with(".BR ") || code.starts_with(".I "))) {
      CodeText rest = SkipBlanks(code.substr(code.find(' ')));
      return Add(TakeName(&rest), true);
    }
    if (kind_ == TextKind::kMarkdown) return ReadEntry(code);
    CodeText rest = code;
    const CodeText name = TakeName(&rest);
    if (name.empty()) return;
    if (FirstOf(rest) == ':' && LooksLikeCode(name)) {
      if (rest.size() == 1 || IsLineBlank(rest[1])) Add(name, true);
      return;
    }
    const bool apart = FirstOf(rest) == '\t' || (FirstOf(rest) == ' ' && rest[1] == ' ');
    rest = SkipBlanks(rest);
    if (FirstOf(rest) == '=' && rest.size() > 1 && rest[1] != '=' && rest[1] != '>')
      return Add(name);
    if (apart && !rest.empty() && LooksLikeCode(name)) return Add(name, true);
    ReadWords(code, 0);
  }

  // "- `NAME`: text", "- **NAME** - text", "| `NAME` | text |"
  void ReadEntry(CodeText code) {
    const char mark = code.front();
    if (mark != '-' && mark != '*' && mark != '|' && mark != '`') return;
    if (mark != '`') code = SkipBlanks(code.substr(1));
    const bool bold = code.starts_with("**");
    if (bold) code.remove_prefix(2);
    const bool quoted = FirstOf(code) == '`';
    if (quoted) code.remove_prefix(1);
    if (!bold && !quoted) return;
    const CodeText name = TakeName(&code);
    if (FirstOf(code) == '(') code = SkipBrackets(code);
    if (quoted && FirstOf(code) != '`') return;
    if (quoted) code.remove_prefix(1);
    if (bold && !code.starts_with("**")) return;
    if (bold) code.remove_prefix(2);
    code = SkipBlanks(code);
    const bool ends = code.starts_with(':') || code.starts_with("- ") || code.starts_with("|") ||
                      code.starts_with("\u2013") || code.starts_with("\u2014");
    if (ends) Add(name, true);
  }

  void ReadCode(CodeText code, size_t columns) {
    const char first = code.front();
    if (in_enum_ && ReadItem(code)) return;
    if (first == '}') in_enum_ = false;
    if (!BeginsName(first)) return;
    if (ReadWords(code, columns)) return;
    if (ReadItemWithValue(code)) return;
    if (ReadFunction(code, columns)) return;
    if (columns == 0 || (first == 's' && code.starts_with("static constexpr "))) ReadValue(code);
  }

  // A definition that words announce. Returns: whether the line needs no other rule.
  bool ReadWords(CodeText code, size_t columns) {
    CodeText rest = code;
    bool is_modified = false;
    bool is_typedef = false;
    for (int words = 0; words < 8; ++words) {
      const CodeText before = rest;
      const CodeText word = TakeName(&rest);
      if (word.empty()) return false;
      const unsigned classes = ClassesOfWord(word);
      if ((classes & kModifier) != 0) {
        is_modified = true;
        is_typedef = is_typedef || word == "typedef";
        if (FirstOf(rest) == '(') rest = SkipBrackets(rest);  // pub(crate)
        rest = SkipBlanks(rest);
        if (FirstOf(rest) == '"')
          rest = rest.substr(std::min(rest.find('"', 1), rest.size() - 1) + 1);
        rest = SkipBlanks(rest);
        continue;
      }
      if ((classes & kType) != 0) return ReadType(word, rest, is_typedef);
      if ((classes & kFunction) != 0) return ReadFunctionWord(rest);
      if ((classes & kValue) != 0) return ReadValueWord(word, rest, columns);
      return (is_typedef && ReadTypedef(code)) ||
             (is_modified && columns > 0 && ReadMember(before));
    }
    return false;
  }

  bool ReadType(CodeText word, CodeText rest, bool is_typedef) {
    if (!IsLineBlank(FirstOf(rest)) && FirstOf(rest) != '{') return false;
    rest = SkipBlanks(rest);
    if (word == "enum") {
      in_enum_ = true;
      for (const CodeText more : {CodeText("class "), CodeText("struct ")}) {
        if (rest.starts_with(more)) rest = SkipBlanks(rest.substr(more.size()));
      }
    }
    if (FirstOf(rest) == '{') {  // enum { A, B };
      if (word == "enum") ReadItems(rest.substr(1));
      return true;
    }
    CodeText name = TakeName(&rest);
    if (name.empty()) return false;
    // class API_EXPORT Widget {
    if (is_c() && IsAllCapitals(name) && IsLineBlank(FirstOf(rest)) &&
        BeginsName(FirstOf(SkipBlanks(rest)))) {
      rest = SkipBlanks(rest);
      name = TakeName(&rest);
    }
    while ((FirstOf(rest) == '.' || rest.starts_with("::")) && rest.size() > 1) {
      rest = rest.substr(rest.front() == '.' ? 1 : 2);
      const CodeText last = TakeName(&rest);
      if (last.empty()) return false;
      name = last;
    }
    const CodeText after = SkipBlanks(rest);
    const char next = FirstOf(after);
    bool defines = next == '{' || next == ':' || next == '<' || next == '=' || next == '[' ||
                   (next == '(' && !is_c());
    if (next == '\n') defines = kind_ != TextKind::kPlain;
    if (next == ';') defines = !is_c() && kind_ != TextKind::kPlain;
    if (IsAsciiLower(next)) {
      CodeText follows = after;
      defines = IsOneOfWords(kAfterTypeWords, TakeName(&follows));
    }
    if (next == ':' && kind_ == TextKind::kPlain) defines = after.size() == 1 || after[1] == ' ';
    if (defines) Add(name);
    if (word == "enum" && next == '{') ReadItems(after.substr(1));
    if (word == "enum" && next == ';') in_enum_ = false;
    if (is_typedef && !defines) return ReadTypedef(rest);
    return defines || !is_c();
  }

  // fn name<T>(   func (s *Store) Name(   fun <T> List<T>.name(   def self.name   function M.name(
  bool ReadFunctionWord(CodeText rest) {
    if (!IsLineBlank(FirstOf(rest)) && FirstOf(rest) != '*' && FirstOf(rest) != '(') return false;
    rest = SkipBlanks(rest);
    if (FirstOf(rest) == '*') rest = SkipBlanks(rest.substr(1));
    if (FirstOf(rest) == '(' || FirstOf(rest) == '<') rest = SkipBlanks(SkipBrackets(rest));
    CodeText name = TakeName(&rest);
    if (name.empty()) return false;
    for (;;) {
      CodeText more = FirstOf(rest) == '<' ? SkipBrackets(rest) : rest;
      if (FirstOf(more) != '.' && FirstOf(more) != ':') break;
      more.remove_prefix(more.starts_with("::") ? 2 : 1);
      const CodeText last = TakeName(&more);
      if (last.empty()) break;
      name = last;
      rest = more;
    }
    if (FirstOf(rest) == '?' || FirstOf(rest) == '!') rest.remove_prefix(1);  // Ruby, Elixir
    const char next = FirstOf(SkipBlanks(rest));
    const bool defines = next == '(' || next == '<' || next == '{' || next == '[' || next == ':' ||
                         next == '=' || (next == '\n' && kind_ != TextKind::kPlain);
    if (defines) Add(name);
    return defines;
  }

  bool ReadValueWord(CodeText word, CodeText rest, size_t columns) {
    if (!IsLineBlank(FirstOf(rest))) return false;
    const bool is_type = word == "type" || word == "using";
    if (columns > (is_type ? kMemberIndent : 0)) return false;
    rest = SkipBlanks(rest);
    if (rest.starts_with("mut ")) rest = SkipBlanks(rest.substr(4));
    const CodeText name = TakeName(&rest);
    if (name.empty()) return false;
    const CodeText after = SkipBlanks(rest);
    const char next = FirstOf(after);
    if (next == '=' || (next == ':' && word != "using" && kind_ != TextKind::kPlain) ||
        (is_type && (next == '<' || next == '['))) {
      Add(name);
      return true;
    }
    if (word == "type") {  // Go
      CodeText follows = after;
      const CodeText what = TakeName(&follows);
      if (!IsOneOfWords(kAfterTypeWords, what) &&
          !(kind_ == TextKind::kCode && (next == '*' || !what.empty()))) {
        return false;
      }
      Add(name);
      return true;
    }
    return false;
  }

  // "typedef unsigned int name;"
  bool ReadTypedef(CodeText code) {
    if (LastOf(code) != ';') return false;
    const CodeText name = NameAtEnd(TrimLineEnd(code.substr(0, code.size() - 1)));
    Add(name);
    return !name.empty();
  }

  // A method after words such as `public static`.
  bool ReadMember(CodeText code) {
    const size_t open = code.find('(');
    if (open == CodeText::npos || LastOf(code) == ';' ||
        code.substr(0, open).find('=') != CodeText::npos) {
      return false;
    }
    const CodeText name = NameAtEnd(TrimLineEnd(code.substr(0, open)));
    if (name.empty() || (ClassesOfWord(name) & kStatement) != 0) return false;
    Add(name);
    return true;
  }

  // A function without a word that says so.
  bool ReadFunction(CodeText code, size_t columns) {
    if (is_c() && columns > kMemberIndent) return false;
    const size_t open = code.find('(');
    if (open == CodeText::npos || open == 0) return false;
    CodeText head = TrimLineEnd(code.substr(0, open));
    if (std::ranges::any_of(head, IsOfNoSignature)) return false;
    CodeText first = head;
    if ((ClassesOfWord(TakeName(&first)) & kStatement) != 0) return false;
    const CodeText name = NameAtEnd(head);
    if (name.empty()) return false;
    const CodeText ahead = head.substr(0, head.size() - name.size());
    const bool alone = ahead.empty() || ahead.ends_with("::");
    const bool typed = TrimLineEnd(head.substr(0, head.size() - name.size())).size() > 0 &&
                       head.find_first_of(" \t*&") != CodeText::npos;
    const bool opens_body = LastOf(code) == '{' || BodyFollows();
    if (!is_c()) {
      // A method of JavaScript, Dart and others: name(a, b) {
      const bool is_method =
          LastOf(code) == '{' && name.size() == head.size() && !IsAllCapitals(name);
      if (!is_method || code.find("=>") != CodeText::npos ||
          code.find("function") != CodeText::npos) {
        return false;
      }
      Add(name);
      return true;
    }
    if (alone && IsAllCapitals(name)) return false;
    bool defines = opens_body;
    if (LastOf(code) == ';') {
      defines = kind_ == TextKind::kHeader && typed;
    } else if (columns == 0) {
      defines = defines || typed;
    } else {
      defines = (opens_body && typed) || (kind_ == TextKind::kHeader && typed);
    }
    if (defines) Add(name);
    return defines;
  }

  // "inline constexpr size_t kName = 3;", "NAME = 3", "exports.name = function (", and Haskell's
  // "name :: Type".
  void ReadValue(CodeText code) {
    CodeText rest = code;
    const CodeText first = TakeName(&rest);
    if ((ClassesOfWord(first) & kStatement) != 0) return;
    if (kind_ == TextKind::kCode && SkipBlanks(rest).starts_with(":: ")) return Add(first);
    const size_t equals = code.find('=');
    if (equals == CodeText::npos || equals == 0 || equals + 1 >= code.size()) {
      if (kind_ == TextKind::kCode && FirstOf(rest) == ':' && LooksLikeCode(first))
        Add(first, true);
      return;
    }
    if (code[equals + 1] == '=' ||
        CodeText("!<>+-*/%|&^:~.").find(code[equals - 1]) != CodeText::npos)
      return;
    CodeText head = TrimLineEnd(code.substr(0, equals));
    if (head.find_first_of("(\"'{;#") != CodeText::npos) return;
    if (LastOf(head) == ']') head = TrimLineEnd(head.substr(0, head.find('[')));
    if (const size_t annotated = head.find(": "); annotated != CodeText::npos && !is_c()) {
      head = TrimLineEnd(head.substr(0, annotated));
    }
    const CodeText name = NameAtEnd(head);
    if (name.empty()) return;
    if (const char before = head.size() > name.size() ? head[head.size() - name.size() - 1] : ' ';
        before == '.') {
      const CodeText value = SkipBlanks(code.substr(equals + 1));
      const bool is_function = value.starts_with("function") || value.starts_with("async ") ||
                               value.starts_with("class ") || value.find("=>") != CodeText::npos;
      if (!is_function) return;
    }
    Add(name);
  }

  // Items of an enum on a line: "NAME," "NAME = 3," "NAME(1), NAME(2);". Returns: whether it is
  // such a line.
  bool ReadItem(CodeText code) {
    if (code.front() == '}') return false;
    if (!BeginsName(code.front())) return true;  // comments
    ReadItems(code);
    return true;
  }
  void ReadItems(CodeText code) {
    for (int items = 0; items < 64 && !code.empty(); ++items) {
      code = SkipBlanks(code);
      const CodeText name = TakeName(&code);
      if (name.empty()) break;
      const char next = FirstOf(SkipBlanks(code));
      if (next == ',' || next == '=' || next == '\n' || next == '(' || next == '}' || next == '/') {
        Add(name);
      }
      const size_t comma = code.find(',');
      const size_t comment = std::min(code.find("//"), code.find("/*"));
      if (comma == CodeText::npos || comma > comment) break;
      code.remove_prefix(comma + 1);
    }
    if (code.find('}') != CodeText::npos) in_enum_ = false;
  }
  // "NAME = 3," outside of a known enum: its beginning may be in another chunk.
  bool ReadItemWithValue(CodeText code) {
    CodeText rest = code;
    const CodeText name = TakeName(&rest);
    rest = SkipBlanks(rest);
    if (!is_c() || !IsAllCapitals(name) || FirstOf(rest) != '=' || rest.starts_with("=="))
      return false;
    const CodeText value = rest.substr(0, std::min(rest.find("//"), rest.find("/*")));
    if (TrimLineEnd(value).ends_with(',')) Add(name);
    return TrimLineEnd(value).ends_with(',');
  }

  CodeText text_;
  TextKind kind_;
  size_t next_ = 0;  // where the next line begins
  CodeText unless_;  // the last directive, if a definition after it is a substitute
  size_t comment_mark_ = CodeText::npos;
  bool has_comment_mark_ = false;  // in this line
  bool in_comment_ = false;
  bool in_enum_ = false;
  bool after_tp_ = false;  // after a line that begins a term of a manual page
  std::vector<DefinedName> names_;
};

constexpr CodeText kCExtensions[] = {"c", "cc", "cpp", "cxx", "c++", "m", "mm", "cu"};
constexpr CodeText kHeaderExtensions[] = {"h",   "hh",  "hpp", "hxx", "h++", "inl",
                                          "ipp", "tpp", "cuh", "txx", "tcc"};

}  // namespace

TextKind TextKindOf(std::string_view path, std::string_view parser) {
  if (parser == ParserName(Parser::kMarkdown) || parser == ParserName(Parser::kNote)) {
    return TextKind::kMarkdown;
  }
  if (parser == ParserName(Parser::kSession)) return TextKind::kOther;
  const std::string extension = PathExtension(path);
  // A document whose parser is damaged keeps its tokens, so that the doctor leaves them.
  if (extension == "md") return TextKind::kMarkdown;
  if (IsOneOfWords(kHeaderExtensions, CodeText(extension))) return TextKind::kHeader;
  if (IsOneOfWords(kCExtensions, CodeText(extension))) return TextKind::kC;
  return parser == ParserName(Parser::kCode) ? TextKind::kCode : TextKind::kPlain;
}

std::vector<DefinedName> FindDefinedNames(std::string_view text, TextKind kind) {
  if (kind == TextKind::kOther) return {};
  return NameScan(text, kind).Run();
}

}  // namespace recall
