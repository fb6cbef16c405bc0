#pragma once

#include <re2/re2.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/secrets/keyword_scan.h"
#include "index/source/secrets/lazy_pattern.h"
#include "index/source/secrets/secret_settings.h"
#include "storage/base/result.h"

namespace recall {

// What is done where a keyword occurs.
enum class KeywordActionKind : uint8_t {
  kName,
  kService,
  kWindow,
  kOwnWindow,
  kUrl,
  kAwsKey,
  kDump
};

struct KeywordAction {
  KeywordActionKind kind;
  uint32_t rule;  // its place in the table of rules of this kind
};

// The program's and the user's rules, by keyword. Immutable, thread-safe.
class SecretRules final {
 public:
  struct OwnRule {
    SecretRule rule;
    std::unique_ptr<const RE2> pattern;
  };

  // Errors: as Redactor::Make.
  static Result<std::shared_ptr<const SecretRules>> Make(std::span<const SecretRule> own,
                                                         std::span<const std::string> allow);

  const KeywordScan& scan() const { return *scan_; }
  // By the keyword's number in the scan.
  const std::vector<KeywordAction>& actions(size_t keyword) const { return actions_[keyword]; }
  const std::vector<OwnRule>& own() const { return own_; }
  const RE2& service_pattern(size_t rule) const { return services_[rule]->get(); }
  const RE2& window_pattern(size_t rule) const { return windows_[rule]->get(); }
  // Whether the user's settings say that this is no secret.
  bool IsAllowed(std::string_view secret) const;

 private:
  void IndexKeywords();

  std::vector<OwnRule> own_;
  std::vector<std::unique_ptr<const RE2>> allow_;
  std::vector<std::unique_ptr<const LazyPattern>> services_;
  std::vector<std::unique_ptr<const LazyPattern>> windows_;
  std::vector<std::vector<KeywordAction>> actions_;
  std::unique_ptr<const KeywordScan> scan_;
};

}  // namespace recall
