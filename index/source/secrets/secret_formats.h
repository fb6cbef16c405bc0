#pragma once

#include <span>
#include <string_view>

#include "index/source/secrets/rule_words.h"

namespace recall {

inline constexpr std::string_view kPrivateKeyKind = "private-key";

// A kind of secret whose format says what it is: four bytes, an anchor, occur in each of its keys
// at a fixed place.
struct SecretFormat {
  std::string_view kind;
  std::string_view pattern;  // of the whole secret
  size_t anchor_offset = 0;  // of the anchors in it
  RuleWords anchors;         // of four bytes
  bool warns = true;  // `add` warns of it; else it is only redacted, because it may be harmless
};

// The formats, those of which the pattern is more exact first.
std::span<const SecretFormat> SecretFormats();

}  // namespace recall
