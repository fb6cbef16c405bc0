#pragma once

#include <string>
#include <vector>

namespace recall {

// A user's own kind of secret.
struct SecretRule {
  std::string id;  // what replaces it: "[redacted: ID]"
  // A regular expression (RE2). Its first group is the secret; without a group, the whole match.
  std::string pattern;
  // The pattern is tried only near one of these words, in any case. Empty: on the whole text.
  std::vector<std::string> keywords;
  double entropy = 0;  // bits a character that the secret has at least; 0: any

  bool operator==(const SecretRule&) const = default;
};

// What a user's settings say about secrets.
struct SecretSettings {
  std::vector<SecretRule> rules;
  std::vector<std::string> allow;  // patterns of what is no secret
};

}  // namespace recall
