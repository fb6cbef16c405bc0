#include "index/source/secrets/redactor.h"

#include <utility>

#include "index/source/secrets/json_strings.h"
#include "index/source/secrets/listed_key.h"
#include "index/source/secrets/secret_finder.h"
#include "index/source/secrets/secret_formats.h"
#include "index/source/secrets/secret_marker.h"
#include "index/source/secrets/secret_rules.h"

namespace recall {
namespace {

void CountSecrets(const std::vector<SecretSpan>& secrets, std::map<std::string, int64_t>* counts) {
  if (counts == nullptr) return;
  for (const SecretSpan& secret : secrets) ++(*counts)[std::string(secret.kind)];
}

bool MayBeJson(std::string_view text) {
  return text.size() > 2 && ((text.front() == '{' && text.back() == '}') ||
                             (text.front() == '[' && text.back() == ']'));
}

std::string RedactedKeyLine() {
  return std::string(kSecretMarker) + std::string(kPrivateKeyKind) + "]";
}

}  // namespace

Result<Redactor> Redactor::Make(std::span<const SecretRule> own,
                                std::span<const std::string> allow) {
  RECALL_ASSIGN(std::shared_ptr<const SecretRules> rules, SecretRules::Make(own, allow));
  return Redactor(std::move(rules));
}

std::vector<SecretSpan> Redactor::Find(std::string_view text) const {
  return FindSecretsByRules(*rules_, text);
}

// What was replaced may have hidden the value behind it from a rule, as in `Bearer SECRET:SECRET`.
// Therefore a text with secrets is looked through until there is none.
std::string Redactor::Redact(std::string_view text, std::map<std::string, int64_t>* counts) const {
  constexpr int kMostRounds = 8;
  std::vector<SecretSpan> secrets = Find(text);
  if (secrets.empty()) return std::string(text);
  CountSecrets(secrets, counts);
  std::string redacted = RedactSecrets(text, secrets);
  for (int round = 1; round < kMostRounds; ++round) {
    secrets = Find(redacted);
    if (secrets.empty()) break;
    CountSecrets(secrets, counts);
    redacted = RedactSecrets(redacted, secrets);
  }
  return redacted;
}

std::string Redactor::RedactJsonLine(std::string_view line,
                                     std::map<std::string, int64_t>* counts) const {
  constexpr int kMostJsonInJson = 3;
  if (auto redacted = RedactJson(line, kMostJsonInJson, counts)) return *std::move(redacted);
  return Redact(line, counts);
}

std::optional<std::string> Redactor::RedactJson(std::string_view json, int depth,
                                                std::map<std::string, int64_t>* counts) const {
  ListedKey key;
  return MapJsonStrings(json, [&](const JsonStringPlace& place, std::string_view text) {
    // A tool may answer with JSON, of which the line breaks and quotes are those of its strings.
    std::optional<std::string> inner;
    if (depth > 0 && MayBeJson(text)) inner = RedactJson(text, depth - 1, counts);
    std::string redacted = RedactNamed(place.name, inner ? *inner : text, counts);
    return key.HasLine(place.follows_string, redacted) ? RedactedKeyLine() : redacted;
  });
}

// The value of a member is judged as if it stood behind its name.
std::string Redactor::RedactNamed(std::string_view name, std::string_view text,
                                  std::map<std::string, int64_t>* counts) const {
  constexpr size_t kMostNameBytes = 60;
  constexpr size_t kMostValueBytes = 4096;
  const bool judged = !name.empty() && name.size() <= kMostNameBytes && text.size() >= 8 &&
                      text.size() <= kMostValueBytes && text.find_first_of(" \n\"") == text.npos;
  if (!judged) return Redact(text, counts);
  std::string written(name);
  written += "=\"";
  const size_t begin = written.size();
  written += text;
  written += '"';
  std::vector<SecretSpan> secrets;
  for (const SecretSpan& secret : Find(written)) {
    if (secret.begin < begin || secret.end > begin + text.size()) continue;
    secrets.push_back({secret.begin - begin, secret.end - begin, secret.kind});
  }
  if (secrets.empty()) return std::string(text);
  CountSecrets(secrets, counts);
  return RedactNamed(name, RedactSecrets(text, secrets), counts);
}

int Redactor::RulesVersion() { return 4; }

}  // namespace recall
