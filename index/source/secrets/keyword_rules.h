#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "index/source/secrets/rule_words.h"
#include "index/source/secrets/secret_judge.h"

namespace recall {

// A part of a name that says that the value is a secret.
struct NameKeyword {
  std::string_view word;
  SecretFamily family;
};
std::span<const NameKeyword> NameKeywords();

// A service whose keys do not say what they are: a value of the pattern, behind a name with the
// word, is its key.
struct ServiceRule {
  std::string_view word;
  std::string_view kind;
  std::string_view pattern;  // of the whole value
};
std::span<const ServiceRule> ServiceRules();

// What makes a match of a pattern a secret.
enum class WindowCheck : uint8_t {
  kNone,
  kVaried,    // its characters vary
  kRandom,    // and it is no text of words
  kPassword,  // IsSecretValue, as a password
  kKey,       // IsSecretValue, as a key
  kBasic,     // it is base64 of `user:password`
  kGroups,    // groups of letters and digits that are no words
};

// A pattern that is tried near its keywords. Its first group is the secret.
struct WindowRule {
  std::string_view kind;
  std::string_view pattern;
  RuleWords keywords;
  size_t before;  // bytes before the keyword
  size_t after;   // bytes behind its first byte
  WindowCheck check = WindowCheck::kVaried;
};
std::span<const WindowRule> WindowRules();

// The second part of WindowRules().
std::span<const WindowRule> ToolWindowRules();

}  // namespace recall
