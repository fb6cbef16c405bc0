#include "index/source/secrets/secret_rules.h"

#include <algorithm>
#include <utility>

#include "index/source/secrets/dumped_text.h"
#include "index/source/secrets/keyword_rules.h"
#include "index/source/secrets/secret_text.h"

namespace recall {
namespace {

RE2::Options PatternOptions() {
  RE2::Options options(RE2::Quiet);
  options.set_encoding(RE2::Options::EncodingLatin1);
  return options;
}

Status CheckRule(const SecretRule& rule, const RE2& pattern) {
  const bool named = !rule.id.empty() && rule.id.size() <= 64 &&
                     std::all_of(rule.id.begin(), rule.id.end(), [](char c) {
                       return IsSecretAlnum(c) || c == '-' || c == '_' || c == '.';
                     });
  if (!named) {
    return Status::InvalidArgument(
        "the id of a rule for secrets must consist of letters, digits, "
        "'-', '_' and '.', not '" +
        rule.id + "'");
  }
  if (!pattern.ok()) {
    return Status::InvalidArgument("the pattern of the rule " + rule.id +
                                   " is no regular expression: " + pattern.error());
  }
  for (const std::string& keyword : rule.keywords) {
    if (keyword.size() < 3) {
      return Status::InvalidArgument("the keyword '" + keyword + "' of the rule " + rule.id +
                                     " is shorter than 3 bytes");
    }
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const SecretRules>> SecretRules::Make(std::span<const SecretRule> own,
                                                             std::span<const std::string> allow) {
  auto rules = std::make_shared<SecretRules>();
  for (const SecretRule& rule : own) {
    auto pattern = std::make_unique<const RE2>(rule.pattern, PatternOptions());
    RECALL_TRY(CheckRule(rule, *pattern));
    rules->own_.push_back({rule, std::move(pattern)});
  }
  for (const std::string& allowed : allow) {
    auto pattern = std::make_unique<const RE2>(allowed, PatternOptions());
    if (!pattern->ok()) {
      return Fail(Status::InvalidArgument(
          "the pattern '" + allowed +
          "' of what is no secret is no regular expression: " + pattern->error()));
    }
    rules->allow_.push_back(std::move(pattern));
  }
  rules->IndexKeywords();
  return rules;
}

void SecretRules::IndexKeywords() {
  std::vector<std::string> keywords;
  const auto add = [&](std::string word, KeywordAction action) {
    size_t at =
        static_cast<size_t>(std::find(keywords.begin(), keywords.end(), word) - keywords.begin());
    if (at == keywords.size()) {
      keywords.push_back(std::move(word));
      actions_.emplace_back();
    }
    actions_[at].push_back(action);
  };
  add("://", {KeywordActionKind::kUrl, 0});
  add(std::string(kDumpBegin), {KeywordActionKind::kDump, 0});
  for (const char* word : {"AKIA", "ASIA", "aws"}) add(word, {KeywordActionKind::kAwsKey, 0});
  for (uint32_t i = 0; i < NameKeywords().size(); ++i) {
    add(std::string(NameKeywords()[i].word), {KeywordActionKind::kName, i});
  }
  for (uint32_t i = 0; i < ServiceRules().size(); ++i) {
    services_.push_back(std::make_unique<const LazyPattern>(ServiceRules()[i].pattern));
    add(std::string(ServiceRules()[i].word), {KeywordActionKind::kService, i});
  }
  for (uint32_t i = 0; i < WindowRules().size(); ++i) {
    windows_.push_back(std::make_unique<const LazyPattern>(WindowRules()[i].pattern));
    for (const std::string_view word : WindowRules()[i].keywords) {
      add(std::string(word), {KeywordActionKind::kWindow, i});
    }
  }
  for (uint32_t i = 0; i < own_.size(); ++i) {
    for (const std::string& word : own_[i].rule.keywords) {
      add(SecretLowered(word), {KeywordActionKind::kOwnWindow, i});
    }
  }
  scan_ = std::make_unique<const KeywordScan>(std::move(keywords));
}

bool SecretRules::IsAllowed(std::string_view secret) const {
  return std::any_of(allow_.begin(), allow_.end(), [&](const auto& pattern) {
    return RE2::PartialMatch(re2::StringPiece(secret.data(), secret.size()), *pattern);
  });
}

}  // namespace recall
