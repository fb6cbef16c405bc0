#include "index/source/secrets/secret_checks.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "index/source/secrets/published_examples.h"
#include "index/source/secrets/secret_text.h"

namespace recall {
namespace {

// Returns whether the text is "user:password" in base64.
bool IsBasicCredential(std::string_view base64) {
  std::string plain;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : base64) {
    int value = -1;
    if (IsSecretUpper(c)) value = c - 'A';
    if (IsSecretLower(c)) value = c - 'a' + 26;
    if (IsSecretDigit(c)) value = c - '0' + 52;
    if (c == '+') value = 62;
    if (c == '/') value = 63;
    if (value < 0) break;
    bits = bits << 6 | static_cast<uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    plain += static_cast<char>(bits >> count & 0xFF);
  }
  // A word such as `Operations` is valid base64, but not of printable text.
  const bool printable =
      std::all_of(plain.begin(), plain.end(), [](char c) { return c >= 0x20 && c != 0x7F; });
  const size_t colon = plain.find(':');
  if (!printable || colon == plain.npos || IsPublishedExample(base64)) return false;
  const std::string_view password = std::string_view(plain).substr(colon + 1);
  return password.size() >= 4 && !IsPlaceholder(password);
}

// Returns whether groups such as `1a2b-3c4d` are a code, and not words, a date or a UUID.
bool AreRandomGroups(std::string_view text) {
  if (IsUuid(text) || DistinctBytes(text) < 5) return false;
  const auto digits = std::count_if(text.begin(), text.end(), IsSecretDigit);
  const auto letters = std::count_if(text.begin(), text.end(), IsSecretLetter);
  if (letters == 0) return true;
  return digits == 0 ? letters >= 10 && Randomness(text) >= (letters >= 15 ? 0.22 : 0.35)
                     : Randomness(text) >= 0.1;
}

bool HasUpperLowerDigit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), IsSecretUpper) &&
         std::any_of(text.begin(), text.end(), IsSecretLower) &&
         std::any_of(text.begin(), text.end(), IsSecretDigit);
}

}  // namespace

bool PassesCheck(WindowCheck check, std::string_view secret) {
  if (check == WindowCheck::kNone) return true;
  if (check == WindowCheck::kPassword) {
    return IsSecretValue(secret, SecretFamily::kPassword, SecretEvidence::kAssigned);
  }
  if (check == WindowCheck::kKey) {
    return IsUuid(secret) || IsSecretValue(secret, SecretFamily::kKey, SecretEvidence::kAssigned);
  }
  if (check == WindowCheck::kBasic) return IsBasicCredential(secret);
  if (check == WindowCheck::kGroups) return AreRandomGroups(secret);
  if (DistinctBytes(secret) < 8) return false;
  return check == WindowCheck::kVaried || Randomness(secret) >= 0.25;
}

bool BeginsWord(std::string_view text, size_t begin) {
  if (begin == 0 || !IsSecretLetter(text[begin - 1])) return true;
  if (begin > 1 && text[begin - 2] == '\\') return true;
  return IsSecretUpper(text[begin]) && IsSecretLower(text[begin - 1]);
}

bool NamesSecret(std::string_view name) {
  const std::string lowered = SecretLowered(name);
  return lowered.find("key") != lowered.npos || lowered.find("token") != lowered.npos ||
         lowered.find("secret") != lowered.npos;
}

bool IsServiceValue(std::string_view value, SecretEvidence evidence) {
  if (IsUuid(value)) return DistinctBytes(value) > 6;
  if (DistinctBytes(value) < 7 || IsPlaceholder(value)) return false;
  if (evidence == SecretEvidence::kMentioned) {
    return IsSecretValue(value, SecretFamily::kKey, evidence);
  }
  const bool digit = std::any_of(value.begin(), value.end(), IsSecretDigit);
  // Pairs of hexadecimal digits are never unusual, so Randomness() says nothing about them.
  if (digit && std::all_of(value.begin(), value.end(), IsSecretHex)) return EntropyOf(value) >= 2.5;
  return EntropyOf(value) >= 2.5 && Randomness(value) >= (digit ? 0.2 : 0.28);
}

bool IsAwsSecret(std::string_view run) {
  return HasUpperLowerDigit(run) && run.find_first_of("_-=") == run.npos &&
         Randomness(run) >= 0.36 &&
         IsSecretValue(run, SecretFamily::kKey, SecretEvidence::kAssigned);
}

std::optional<std::pair<size_t, size_t>> PasswordOfUrl(std::string_view text, size_t at) {
  constexpr size_t kMostAuthorityBytes = 512;
  const std::string_view rest = text.substr(at, kMostAuthorityBytes);
  const size_t end = std::min(rest.find_first_of("/ \t\r\n\"'`<>\\?#|"), rest.size());
  const std::string_view authority = rest.substr(0, end);
  const size_t host = authority.rfind('@');
  if (host == authority.npos || host == 0) return std::nullopt;
  const size_t colon = authority.find(':');
  const bool has_password = colon < host;
  const size_t begin = has_password ? colon + 1 : 0;
  const std::string_view secret = authority.substr(begin, host - begin);
  if (secret.size() < 6 || IsPlaceholder(secret)) return std::nullopt;
  if (!has_password) {
    if (!IsSecretValue(secret, SecretFamily::kWeak, SecretEvidence::kMentioned))
      return std::nullopt;
  } else if (!IsUuid(secret) &&
             !IsSecretValue(secret, SecretFamily::kPassword, SecretEvidence::kAssigned) &&
             !IsSecretValue(secret, SecretFamily::kKey, SecretEvidence::kAssigned)) {
    return std::nullopt;
  }
  return std::pair(at + begin, at + host);
}

}  // namespace recall
