#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

enum class GlobDialect : uint8_t {
  kRecall,     // walker.h, GlobMatches: `**` crosses `/` anywhere, {a,b}; errors are reported
  kGitignore,  // gitignore(5): `**` only as a whole component, braces are ordinary
};

// A pattern compiled to a nondeterministic automaton that is run with all its states at once, so
// that matching costs at most pattern x text whatever the pattern (Thompson, CACM 11(6), 1968).
// Immutable: safe to use from several threads.
class Glob final {
 public:
  // InvalidArgument names the offset of what cannot be read: an open [ or {, a lone last `\`.
  static Result<Glob> Compile(std::string_view pattern, GlobDialect dialect);

  // Whether the pattern matches the whole of `text`.
  bool Matches(std::string_view text) const;

 private:
  enum class OpKind : uint8_t {
    kCharacter,   // consumes `value`
    kNotSlash,    // consumes any character but '/'
    kClass,       // consumes a character of classes_[value]
    kStar,        // stays while consuming anything but '/', or moves on for free
    kDoubleStar,  // stays while consuming anything, or moves on for free
    kSplit,       // for free: to the next op and to `value`
    kJump,        // for free: to `value`
    kAccept,
  };
  struct Op {
    OpKind kind;
    uint32_t value = 0;
  };
  struct CharacterClass {
    struct Range {
      uint32_t first, last;
    };
    bool negated = false;
    std::vector<Range> ranges;

    bool Contains(uint32_t character) const;
  };
  class Compiler;
  class StateSet;

  void FindLiterals();
  void Enter(uint32_t state, StateSet* states) const;
  bool Consumes(const Op& op, uint32_t character) const;

  std::vector<Op> ops_;
  std::vector<CharacterClass> classes_;
  // Every match starts and ends with these; they settle most calls without running the automaton.
  std::string prefix_;
  std::string suffix_;
  bool is_literal_ = false;  // prefix_ is all there is
};

// A --glob or --ignore pattern: one without '/' matches the last component of a path, one that
// ends in '/' everything below the directories it names (at any depth if that is its only '/').
class PathGlob final {
 public:
  static Result<PathGlob> Compile(std::string_view pattern);

  bool Matches(std::string_view path) const;
  // True when the pattern matches every path below `directory`.
  bool MatchesAllBelow(std::string_view directory) const;

 private:
  Glob glob_;
  bool last_component_ = false;
  bool ends_with_double_star_ = false;
};

}  // namespace recall
