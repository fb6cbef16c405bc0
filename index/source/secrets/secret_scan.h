#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A credential in a text: text[begin, end).
struct SecretSpan {
  size_t begin = 0;
  size_t end = 0;
  std::string_view kind;  // "aws-access-key-id"; static
};

// Returns: the credentials in a text, in order, not overlapping: keys and tokens of well-known
// services, whose format says what they are, and private keys in PEM. Placeholders (`AKIAXXXX...`)
// and the examples of documentation are not reported. Some GB/s. Thread-safe.
std::vector<SecretSpan> FindSecrets(std::string_view text);

enum class FormatScope : uint8_t {
  kWarned,  // those that FindSecrets reports
  kAll,
};

// Returns: the secrets of the formats of secret_formats.h, in order, not overlapping.
std::vector<SecretSpan> FindFormats(std::string_view text, FormatScope scope);

// Returns: the text with each of its credentials replaced by "[redacted: KIND]". The number of
// lines stays the same. Requires: `secrets` is FindSecrets(text).
std::string RedactSecrets(std::string_view text, const std::vector<SecretSpan>& secrets);

}  // namespace recall
