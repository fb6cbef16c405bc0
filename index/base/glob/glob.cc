#include "index/base/glob/glob.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

// A glob is compiled to a nondeterministic finite automaton. Two procedures run it, both in at most
// pattern * text steps; matchers that try all ways need exponential time for patterns such as
// "a*a*a*a*b".
//
// - MatchesInAnyWay simulates all states at once (Thompson, "Regular expression search algorithm",
//   CACM 11(6), 1968).
// - MatchesGreedily is for patterns without alternatives whose "**" are whole components, as those
//   of .gitignore. It keeps no set of states. It tries only the last "*" and the last "**/" again:
//   the earliest end of what lies before them leaves the most text to the rest. If the text ends
//   before the pattern, it does so in all later tries.
//
// The program of the pattern "src/**/{a,b}.cc", with the index of each operation:
//
//    0..3  s r c /                    one kCharacter each
//       4  split -> 7                 "**/" may match nothing
//       5  double star                stays on any character, or continues at 6
//       6  '/'
//       7  split -> 10                alternatives
//       8  'a'    9 jump -> 12
//      10  jump -> 11   11  'b'
//   12..14 . c c     15 accept
//
// Enter() follows the operations that consume nothing (split, jump, leaving a star) and adds each
// state once; Consumes() tests one character. "**/" may match nothing only at the start of a path
// component. If alternatives of different ends precede it, this depends on the text, and
// kSplitAtStart decides while matching.
//
// Literal prefix and suffix of all matches are compared first, which settles most calls without
// running the automaton. A suffix must lie after every jump target, because operations that a jump
// skips are not in every match.
//
// Bytes that are not UTF-8 are characters of their own (kIllFormedByte), so that any file name can
// be matched.

void AppendCharacter(uint32_t character, std::string* out) {
  if (character < kIllFormedByte) {
    AppendUtf8(character, out);
  } else {
    *out += static_cast<char>(character - kIllFormedByte);
  }
}

// The POSIX classes that gitignore(5) inherits from fnmatch(3), as ASCII ranges.
struct NamedClass {
  std::string_view name;
  std::string_view ranges;  // pairs of first and last
};
constexpr NamedClass kNamedClasses[] = {
    {"alnum", "09AZaz"},   {"alpha", "AZaz"},   {"blank", "  \t\t"}, {"cntrl", "\x01\x1f\x7f\x7f"},
    {"digit", "09"},       {"graph", "!~"},     {"lower", "az"},     {"print", " ~"},
    {"punct", "!/:@[`{~"}, {"space", "  \t\r"}, {"upper", "AZ"},     {"xdigit", "09AFaf"},
};

}  // namespace

uint32_t NextGlobCharacter(std::string_view text, size_t* position) {
  const size_t start = *position;
  const auto byte = static_cast<uint8_t>(text[start]);
  if (byte < 0x80) {
    ++*position;
    return byte;
  }
  const uint32_t character = DecodeUtf8(text, position);
  return *position == start + 1 ? kIllFormedByte + byte : character;
}

bool Glob::CharacterClass::Contains(uint32_t character) const {
  const bool listed = std::any_of(ranges.begin(), ranges.end(), [character](const Range& range) {
    return range.first <= character && character <= range.last;
  });
  return listed != negated && character != '/';
}

class Glob::Compiler final {
 public:
  Compiler(std::string_view pattern, GlobDialect dialect) : pattern_(pattern), dialect_(dialect) {}

  Result<Glob> Run() {
    while (position_ < pattern_.size()) RECALL_TRY(CompileNext());
    if (!open_braces_.empty()) return Fail(Unreadable("{ is not closed", open_braces_.back().at));
    Emit(OpKind::kAccept);
    glob_.FindLiterals();
    return std::move(glob_);
  }

 private:
  // Whether the next operation is at the start of a path component.
  enum class ComponentStart : uint8_t { kNo, kYes, kDepends };
  struct Brace {
    size_t at;                  // its offset in the pattern
    size_t split;               // the op that branches to the current and the next alternative
    std::vector<size_t> jumps;  // the ops that end the preceding alternatives
    ComponentStart before;      // at the opening brace
    ComponentStart after;       // at the end of the preceding alternatives
  };

  Status Unreadable(std::string_view what, size_t at) const {
    return Status::InvalidArgument("invalid pattern '" + std::string(pattern_) + "': " +
                                       std::string(what) + " at offset " + std::to_string(at),
                                   "write \\ before a special character to match it literally");
  }

  size_t Emit(OpKind kind, uint32_t value = 0) {
    glob_.ops_.push_back(Op{kind, value});
    return glob_.ops_.size() - 1;
  }
  void Target(size_t op) { glob_.ops_[op].value = static_cast<uint32_t>(glob_.ops_.size()); }

  Status CompileNext() {
    if (dialect_ == GlobDialect::kLike) return CompileLike();
    const bool braces = dialect_ == GlobDialect::kRecall;
    const ComponentStart component_start = component_start_;
    const char c = pattern_[position_];
    component_start_ = c == '/' ? ComponentStart::kYes : ComponentStart::kNo;
    if (c == '*') return CompileStars(component_start);
    if (c == '[') return CompileClass();
    if (c == '{' && braces) return OpenBrace(component_start);
    if (c == ',' && !open_braces_.empty()) return NextAlternative(component_start);
    if (c == '}' && !open_braces_.empty()) return CloseBrace(component_start);
    if (c == '?') {
      Emit(OpKind::kNotSlash);
      ++position_;
      return Status::Ok();
    }
    return CompileCharacter();
  }

  Status CompileLike() {
    const char c = pattern_[position_];
    if (c != '%' && c != '_') return CompileCharacter();
    ++position_;
    const bool repeated = !glob_.ops_.empty() && glob_.ops_.back().kind == OpKind::kDoubleStar;
    if (c == '_') {
      Emit(OpKind::kAny);
    } else if (!repeated) {
      Emit(OpKind::kDoubleStar);
    }
    return Status::Ok();
  }

  Status CompileCharacter() {
    if (pattern_[position_] == '\\' && ++position_ == pattern_.size()) {
      return Unreadable("nothing follows the \\", position_ - 1);
    }
    Emit(OpKind::kCharacter, NextGlobCharacter(pattern_, &position_));
    return Status::Ok();
  }

  Status CompileStars(ComponentStart component_start) {
    const size_t start = position_;
    position_ = std::min(pattern_.find_first_not_of('*', start), pattern_.size());
    const bool at_end = position_ == pattern_.size();
    const bool before_slash = !at_end && pattern_[position_] == '/';
    const bool maybe_start = component_start != ComponentStart::kNo;
    const bool component = maybe_start && (at_end || before_slash);
    if (position_ - start == 1 || (dialect_ == GlobDialect::kGitignore && !component)) {
      Emit(OpKind::kStar);
    } else if (maybe_start && before_slash) {  // any directories with their '/', or none
      const bool depends = component_start == ComponentStart::kDepends;
      const size_t split = Emit(depends ? OpKind::kSplitAtStart : OpKind::kSplit);
      Emit(OpKind::kDoubleStar);
      Emit(OpKind::kCharacter, '/');
      Target(split);
      ++position_;
      // "**/**/" matches what "**/" matches.
      while (pattern_.substr(position_).starts_with("**/")) position_ += 3;
      component_start_ = ComponentStart::kYes;
    } else {
      Emit(OpKind::kDoubleStar);
    }
    return Status::Ok();
  }

  Status OpenBrace(ComponentStart before) {
    open_braces_.push_back(Brace{position_++, Emit(OpKind::kSplit), {}, before, before});
    component_start_ = before;
    return Status::Ok();
  }

  // `after`: the state at the end of the alternative.
  void EndAlternative(Brace& brace, ComponentStart after) {
    brace.after = brace.jumps.empty() || brace.after == after ? after : ComponentStart::kDepends;
  }

  Status NextAlternative(ComponentStart after) {
    Brace& brace = open_braces_.back();
    EndAlternative(brace, after);
    brace.jumps.push_back(Emit(OpKind::kJump));
    Target(brace.split);
    brace.split = Emit(OpKind::kSplit);
    component_start_ = brace.before;
    ++position_;
    return Status::Ok();
  }

  Status CloseBrace(ComponentStart after) {
    Brace& brace = open_braces_.back();
    EndAlternative(brace, after);
    component_start_ = brace.after;
    glob_.ops_[brace.split] = Op{OpKind::kJump, static_cast<uint32_t>(brace.split + 1)};
    for (const size_t jump : brace.jumps) Target(jump);
    open_braces_.pop_back();
    ++position_;
    return Status::Ok();
  }

  Status CompileClass() {
    const size_t open = position_++;
    CharacterClass set;
    if (position_ < pattern_.size() && (pattern_[position_] == '!' || pattern_[position_] == '^')) {
      set.negated = true;
      ++position_;
    }
    for (bool first = true;; first = false) {
      if (position_ >= pattern_.size()) return Unreadable("[ is not closed", open);
      if (pattern_[position_] == ']' && !first) break;
      if (AddNamedClass(&set)) continue;
      const std::optional<uint32_t> low = ClassCharacter();
      if (!low) return Unreadable("[ is not closed", open);
      uint32_t high = *low;
      const std::string_view rest = pattern_.substr(position_);
      if (rest.size() >= 2 && rest[0] == '-' && rest[1] != ']') {
        ++position_;
        const std::optional<uint32_t> last = ClassCharacter();
        if (!last) return Unreadable("[ is not closed", open);
        high = *last;
      }
      set.ranges.push_back({*low, high});
    }
    ++position_;
    glob_.classes_.push_back(std::move(set));
    Emit(OpKind::kClass, static_cast<uint32_t>(glob_.classes_.size() - 1));
    return Status::Ok();
  }

  // Reads one character of a class; nothing at the end of the pattern.
  std::optional<uint32_t> ClassCharacter() {
    if (pattern_[position_] == '\\') ++position_;
    if (position_ >= pattern_.size()) return std::nullopt;
    return NextGlobCharacter(pattern_, &position_);
  }

  // Reads "[:alpha:]". If there is no such class at the position, reads nothing and returns false.
  bool AddNamedClass(CharacterClass* set) {
    for (const NamedClass& named : kNamedClasses) {
      const std::string spelling = "[:" + std::string(named.name) + ":]";
      if (!pattern_.substr(position_).starts_with(spelling)) continue;
      for (size_t i = 0; i < named.ranges.size(); i += 2) {
        set->ranges.push_back(
            {static_cast<uint8_t>(named.ranges[i]), static_cast<uint8_t>(named.ranges[i + 1])});
      }
      position_ += spelling.size();
      return true;
    }
    return false;
  }

  std::string_view pattern_;
  GlobDialect dialect_;
  size_t position_ = 0;
  ComponentStart component_start_ = ComponentStart::kYes;
  std::vector<Brace> open_braces_;
  Glob glob_;
};

Result<Glob> Glob::Compile(std::string_view pattern, GlobDialect dialect) {
  return Compiler(pattern, dialect).Run();
}

void Glob::FindLiterals() {
  const auto is_character = [](const Op& op) { return op.kind == OpKind::kCharacter; };
  const size_t accept = ops_.size() - 1;
  size_t end = 0;
  for (; is_character(ops_[end]); ++end) AppendCharacter(ops_[end].value, &prefix_);
  is_literal_ = end == accept;
  if (is_literal_) return;

  is_greedy_ = true;
  for (size_t i = 0; i < accept; ++i) {
    const OpKind kind = ops_[i].kind;
    const bool within_component = kind == OpKind::kDoubleStar && i + 1 < accept &&
                                  (i == 0 || ops_[i - 1].kind != OpKind::kSplit);
    if (kind == OpKind::kJump || kind == OpKind::kSplitAtStart || within_component) {
      is_greedy_ = false;
    }
  }

  size_t start = accept;
  while (is_character(ops_[start - 1])) --start;
  for (const Op& op : ops_) {  // operations that a jump skips are not in every match
    if (op.kind == OpKind::kSplit || op.kind == OpKind::kSplitAtStart || op.kind == OpKind::kJump) {
      start = std::max<size_t>(start, op.value);
    }
  }
  for (size_t i = start; i < accept; ++i) AppendCharacter(ops_[i].value, &suffix_);
  inner_ = LongestInner(end, start);
}

// The longest literal of ops first .. last - 1 that no jump skips.
std::string Glob::LongestInner(size_t first, size_t last) const {
  std::string longest;
  std::string run;
  size_t skipped = 0;  // some way goes past the ops before this one
  for (size_t i = 0; i < last; ++i) {
    const Op& op = ops_[i];
    if (op.kind == OpKind::kSplit || op.kind == OpKind::kSplitAtStart || op.kind == OpKind::kJump) {
      skipped = std::max<size_t>(skipped, op.value);
    }
    if (op.kind == OpKind::kCharacter && i >= first && i >= skipped) {
      AppendCharacter(op.value, &run);
      if (run.size() > longest.size()) longest = run;
    } else {
      run.clear();
    }
  }
  return longest;
}

void Glob::Enter(uint32_t state, bool at_start, StateSet* states) const {
  std::vector<uint32_t> waiting = {state};
  while (!waiting.empty()) {
    const uint32_t at = waiting.back();
    waiting.pop_back();
    if (!states->Insert(at)) continue;
    const Op& op = ops_[at];
    switch (op.kind) {
      case OpKind::kSplit:
        waiting.insert(waiting.end(), {op.value, at + 1});
        break;
      case OpKind::kSplitAtStart:
        if (at_start) waiting.push_back(op.value);
        waiting.push_back(at + 1);
        break;
      case OpKind::kJump:
        waiting.push_back(op.value);
        break;
      case OpKind::kStar:
      case OpKind::kDoubleStar:
        waiting.push_back(at + 1);
        break;
      default:
        break;
    }
  }
}

bool Glob::Consumes(const Op& op, uint32_t character) const {
  switch (op.kind) {
    case OpKind::kCharacter:
      return character == op.value;
    case OpKind::kNotSlash:
    case OpKind::kStar:
      return character != '/';
    case OpKind::kClass:
      return classes_[op.value].Contains(character);
    case OpKind::kAny:
    case OpKind::kDoubleStar:
      return true;
    case OpKind::kSplit:
    case OpKind::kSplitAtStart:
    case OpKind::kJump:
    case OpKind::kAccept:
      return false;
  }
  return false;
}

bool Glob::Matches(std::string_view text) const {
  if (is_literal_) return text == prefix_;
  if (!text.starts_with(prefix_) || !text.ends_with(suffix_)) return false;
  return is_greedy_ ? MatchesGreedily(text) : MatchesInAnyWay(text);
}

bool Glob::MatchesGreedily(std::string_view text) const {
  // Where to try again: the op after the last "*" or "**/" (0: there is none yet, because one
  // precedes it) and the place in the text at which it was tried last.
  size_t after_star = 0, star_end = 0;
  size_t after_directories = 0, directories_end = 0;
  size_t at = 0, position = 0;
  for (;;) {
    const Op& op = ops_[at];
    if (op.kind == OpKind::kDoubleStar) return true;  // at the end of the pattern
    if (op.kind == OpKind::kStar) {
      after_star = ++at;
      star_end = position;
      continue;
    }
    if (op.kind == OpKind::kSplit) {  // "**/", which matches nothing at first
      after_directories = at = op.value;
      directories_end = position;
      after_star = 0;
      continue;
    }
    if (position == text.size()) return op.kind == OpKind::kAccept;
    size_t next = position;
    const uint32_t character = NextGlobCharacter(text, &next);
    if (Consumes(op, character)) {
      if (character == '/') after_star = 0;
      ++at;
      position = next;
    } else if (after_star != 0 && text[star_end] != '/') {
      NextGlobCharacter(text, &star_end);
      at = after_star;
      position = star_end;
    } else {
      if (after_directories == 0) return false;
      const size_t slash = text.find('/', directories_end);
      if (slash == text.npos) return false;
      at = after_directories;
      position = directories_end = slash + 1;
      after_star = 0;
    }
  }
}

bool Glob::MatchesInAnyWay(std::string_view text) const {
  StateSet current(ops_.size());
  StateSet next(ops_.size());
  Enter(0, true, &current);
  for (size_t position = 0; position < text.size() && !current.states().empty();) {
    const uint32_t character = NextGlobCharacter(text, &position);
    next.Clear();
    for (const uint32_t state : current.states()) {
      const Op& op = ops_[state];
      if (!Consumes(op, character)) continue;
      const bool stays = op.kind == OpKind::kStar || op.kind == OpKind::kDoubleStar;
      Enter(stays ? state : state + 1, character == '/', &next);
    }
    std::swap(current, next);
  }
  return current.Contains(ops_.size() - 1);
}

}  // namespace recall
