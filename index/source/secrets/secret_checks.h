#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "index/source/secrets/keyword_rules.h"
#include "index/source/secrets/secret_judge.h"

namespace recall {

// Returns whether a match of a window's pattern passes the check of its rule.
bool PassesCheck(WindowCheck check, std::string_view secret);

// Returns whether the word of a service at text[begin] begins a word: `okta`, but not `doktat`.
bool BeginsWord(std::string_view text, size_t begin);

// Returns whether a name says that its value is a key, a token or a secret.
bool NamesSecret(std::string_view name);

// Returns whether a value with the pattern of a service's keys is random enough to be one.
bool IsServiceValue(std::string_view value, SecretEvidence evidence);

// Returns whether 40 bytes of base64 could be the secret access key of AWS.
bool IsAwsSecret(std::string_view run);

// Returns the place [begin, end) of the password of a URL, if it has one. `at`: behind `://`.
std::optional<std::pair<size_t, size_t>> PasswordOfUrl(std::string_view text, size_t at);

}  // namespace recall
