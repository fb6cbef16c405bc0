#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

enum class GlobDialect : uint8_t {
  kRecall,     // `*` `?` [..] within a component, `**` crosses `/` anywhere, {a,b}
  kGitignore,  // gitignore(5): `**` only as a whole component, braces are ordinary
  kLike,       // SQL's LIKE: `%` any characters, `_` any one, both cross `/`
};

// A byte that is not part of valid UTF-8 is the character kIllFormedByte + byte.
inline constexpr uint32_t kIllFormedByte = 0x110000;
// Returns the character at `*position` and moves past it. Requires: *position < text.size().
uint32_t NextGlobCharacter(std::string_view text, size_t* position);

// A pattern compiled to a nondeterministic automaton. Matching costs at most pattern * text for any
// pattern: alternatives are simulated with all states at once (Thompson, CACM 11(6), 1968).
// Immutable: safe to use from several threads.
class Glob final {
 public:
  // In every dialect `\` makes the following character literal. Errors: InvalidArgument, with the
  // offset, for an open [ or {, or a `\` at the end.
  static Result<Glob> Compile(std::string_view pattern, GlobDialect dialect);

  // Whether the pattern matches the whole of `text`.
  bool Matches(std::string_view text) const;

  // The literal text with which every match starts.
  const std::string& prefix() const { return prefix_; }
  // A literal text that every match contains behind prefix(); empty if none is known.
  const std::string& required() const { return inner_.size() < suffix_.size() ? suffix_ : inner_; }

 private:
  enum class OpKind : uint8_t {
    kCharacter,     // consumes `value`
    kAny,           // consumes any character
    kNotSlash,      // consumes any character but '/'
    kClass,         // consumes a character of classes_[value]
    kStar,          // consumes any characters but '/', or none
    kDoubleStar,    // consumes any characters, or none
    kSplit,         // consumes nothing; continues at the next op and at `value`
    kSplitAtStart,  // the same, but to `value` only at the start of a path component
    kJump,          // consumes nothing; continues at `value`
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
  friend class GlobMatcher;

  // The set of current states of the automaton.
  class StateSet final {
   public:
    explicit StateSet(size_t ops) : member_(ops) {}

    bool Insert(uint32_t state) {
      if (member_[state]) return false;
      member_[state] = true;
      states_.push_back(state);
      return true;
    }
    bool Contains(size_t state) const { return member_[state]; }
    const std::vector<uint32_t>& states() const { return states_; }
    void Clear() {
      for (const uint32_t state : states_) member_[state] = false;
      states_.clear();
    }

   private:
    std::vector<bool> member_;
    std::vector<uint32_t> states_;
  };

  void FindLiterals();
  std::string LongestInner(size_t first, size_t last) const;
  // Adds `state` and all states reachable from it without consuming a character. `at_start`: the
  // text is at the start of a path component.
  void Enter(uint32_t state, bool at_start, StateSet* states) const;
  bool Consumes(const Op& op, uint32_t character) const;
  // Run the automaton; the first one requires is_greedy_.
  bool MatchesGreedily(std::string_view text) const;
  bool MatchesInAnyWay(std::string_view text) const;

  std::vector<Op> ops_;
  std::vector<CharacterClass> classes_;
  // Literal text with which every match starts and ends; it settles most calls without running the
  // automaton.
  std::string prefix_;
  std::string suffix_;
  std::string inner_;        // literal text that is in every match, between prefix and suffix
  bool is_literal_ = false;  // prefix_ is the whole pattern
  bool is_greedy_ = false;   // no alternatives, and each "**" is a component or the end
};

}  // namespace recall
