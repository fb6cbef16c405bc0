#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/secrets/secret_scan.h"
#include "index/source/secrets/secret_settings.h"
#include "storage/base/result.h"

namespace recall {

class SecretRules;

// Replaces the secrets of a text: those that FindSecrets finds, those that a name or a service near
// them gives away (`password = ...`, a token of Datadog), and those of the user's rules.
// Immutable, thread-safe; copies share their rules.
class Redactor final {
 public:
  // `own`: the user's rules; `allow`: patterns of what is no secret, searched for in what was
  // found. Errors: InvalidArgument for a pattern that is none, a rule without id, an id with `]` or
  // a line break.
  static Result<Redactor> Make(std::span<const SecretRule> own,
                               std::span<const std::string> allow = {});

  // Returns: the secrets of a text, in order, not overlapping. The kinds live as long as a copy of
  // this redactor.
  std::vector<SecretSpan> Find(std::string_view text) const;

  // Returns: the text with each secret replaced by "[redacted: KIND]"; the number of lines stays
  // the same. Adds the number of secrets of each kind to *counts, which may be null.
  std::string Redact(std::string_view text, std::map<std::string, int64_t>* counts) const;

  // As above, for a line of JSON: its strings and the names of its members are redacted as decoded,
  // and the line is written anew only if something was found. A line that is no JSON is redacted
  // as text.
  std::string RedactJsonLine(std::string_view line, std::map<std::string, int64_t>* counts) const;

  // Grows whenever other secrets are found than before.
  static int RulesVersion();

 private:
  explicit Redactor(std::shared_ptr<const SecretRules> rules) : rules_(std::move(rules)) {}

  // nullopt: it is no JSON. `depth`: how often strings that are JSON are read as such.
  std::optional<std::string> RedactJson(std::string_view json, int depth,
                                        std::map<std::string, int64_t>* counts) const;
  std::string RedactNamed(std::string_view name, std::string_view text,
                          std::map<std::string, int64_t>* counts) const;

  std::shared_ptr<const SecretRules> rules_;
};

}  // namespace recall
