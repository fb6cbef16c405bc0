#include "index/source/secrets/redactor.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "index/source/secrets/encoded_text.h"
#include "index/source/secrets/json_strings.h"
#include "index/source/secrets/keyword_rules.h"
#include "index/source/secrets/keyword_scan.h"
#include "index/source/secrets/lazy_pattern.h"
#include "index/source/secrets/named_value.h"
#include "index/source/secrets/secret_formats.h"
#include "index/source/secrets/secret_judge.h"
#include "index/source/secrets/secret_text.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

// The problem: transcripts and settings contain secrets without a format of their own, such as
// passwords, and no regular expression of all of them is fast enough for all text.
//
//   text --pairs of bytes--> anchors --expression--> secrets with a format (FindFormats)
//        --classes of bytes--> keywords --+-- a name: its value, judged by its randomness
//                                         +-- a service: its value, compared with its pattern
//                                         +-- a window around it, searched with an expression
//                                         +-- `://`: the password of a URL
//        --base64, escapes--> decoded parts, which are looked through in the same way
//
// What was found may overlap: `TOKEN=ghp_...` is the value of a name and has a format. Overlapping
// secrets become one, of the kind that says most.
//
// Invariants: windows of one rule are merged before they are searched, and everything else looks at
// a bounded number of bytes around a keyword. So the cost is linear in the text, however it was
// chosen. Redacting twice changes nothing: "[redacted: KIND]" is a placeholder to all rules.

constexpr std::string_view kMarker = "[redacted: ";
constexpr size_t kMostMarkerBytes = 80;
constexpr size_t kAwsSecretBytes = 40;

enum class Writing : uint8_t { kAny, kDecoded };

enum class Rank : uint8_t { kOwn, kFormat, kService, kWindow, kUrl, kContext, kGeneric };

struct Candidate {
  size_t begin;
  size_t end;
  std::string_view kind;
  Rank rank;
};

RE2::Options PatternOptions() {
  RE2::Options options(RE2::Quiet);
  options.set_encoding(RE2::Options::EncodingLatin1);
  return options;
}

enum class ActionKind : uint8_t { kName, kService, kWindow, kOwnWindow, kUrl, kAwsKey };

struct Action {
  ActionKind kind;
  uint32_t rule;
};

// Ranges that are searched for a rule. They are given in ascending order of their keywords.
class Regions final {
 public:
  void Add(size_t begin, size_t end) {
    if (!ranges_.empty() && begin <= ranges_.back().second) {
      ranges_.back().second = std::max(ranges_.back().second, end);
    } else {
      ranges_.emplace_back(begin, end);
    }
  }
  const std::vector<std::pair<size_t, size_t>>& ranges() const { return ranges_; }

 private:
  std::vector<std::pair<size_t, size_t>> ranges_;
};

// "user:password" in base64.
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
  // A word such as `Operations` is base64 of bytes that are no text.
  const bool printable =
      std::all_of(plain.begin(), plain.end(), [](char c) { return c >= 0x20 && c != 0x7F; });
  const size_t colon = plain.find(':');
  if (!printable || colon == plain.npos) return false;
  const std::string_view password = std::string_view(plain).substr(colon + 1);
  return password.size() >= 4 && !IsPlaceholder(password);
}

bool HasUpperLowerDigit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), IsSecretUpper) &&
         std::any_of(text.begin(), text.end(), IsSecretLower) &&
         std::any_of(text.begin(), text.end(), IsSecretDigit);
}

bool PassesCheck(WindowCheck check, std::string_view secret) {
  if (check == WindowCheck::kNone) return true;
  if (check == WindowCheck::kPassword) {
    return IsSecretValue(secret, SecretFamily::kPassword, SecretEvidence::kAssigned);
  }
  if (check == WindowCheck::kKey) {
    return IsUuid(secret) || IsSecretValue(secret, SecretFamily::kKey, SecretEvidence::kAssigned);
  }
  if (check == WindowCheck::kBasic) return IsBasicCredential(secret);
  if (DistinctBytes(secret) < 8) return false;
  return check == WindowCheck::kVaried || Randomness(secret) >= 0.25;
}

// Whether a name with the word of a service at text[begin] has it as a word, and not within
// another: `okta`, but not `doktat`.
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
  // Neighbouring digits surprise nobody.
  if (digit && std::all_of(value.begin(), value.end(), IsSecretHex)) return EntropyOf(value) >= 2.5;
  return EntropyOf(value) >= 2.5 && Randomness(value) >= (digit ? 0.2 : 0.28);
}

// The password of a URL; `at`: behind `://`.
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

// Whether text[at] is within "[redacted: KIND]".
bool IsInMarker(std::string_view text, size_t at) {
  const size_t from = at - std::min(at, kMostMarkerBytes);
  const std::string_view before = text.substr(from, at - from);
  const size_t marker = before.rfind(kMarker);
  return marker != before.npos && before.find(']', marker) == before.npos;
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

struct Redactor::Rules {
  struct OwnRule {
    SecretRule rule;
    std::unique_ptr<const RE2> pattern;
  };

  std::vector<OwnRule> own;
  std::vector<std::unique_ptr<const RE2>> allow;
  std::vector<std::unique_ptr<const LazyPattern>> services;
  std::vector<std::unique_ptr<const LazyPattern>> windows;
  std::vector<std::vector<Action>> actions;  // by keyword
  std::unique_ptr<const KeywordScan> scan;

  void IndexKeywords();
  bool IsAllowed(std::string_view secret) const;
};

void Redactor::Rules::IndexKeywords() {
  std::vector<std::string> keywords;
  const auto add = [&](std::string word, Action action) {
    size_t at =
        static_cast<size_t>(std::find(keywords.begin(), keywords.end(), word) - keywords.begin());
    if (at == keywords.size()) {
      keywords.push_back(std::move(word));
      actions.emplace_back();
    }
    actions[at].push_back(action);
  };
  add("://", {ActionKind::kUrl, 0});
  for (const char* word : {"AKIA", "ASIA", "aws"}) add(word, {ActionKind::kAwsKey, 0});
  for (uint32_t i = 0; i < NameKeywords().size(); ++i) {
    add(std::string(NameKeywords()[i].word), {ActionKind::kName, i});
  }
  for (uint32_t i = 0; i < ServiceRules().size(); ++i) {
    services.push_back(std::make_unique<const LazyPattern>(ServiceRules()[i].pattern));
    add(std::string(ServiceRules()[i].word), {ActionKind::kService, i});
  }
  for (uint32_t i = 0; i < WindowRules().size(); ++i) {
    windows.push_back(std::make_unique<const LazyPattern>(WindowRules()[i].pattern));
    for (const std::string_view word : WindowRules()[i].keywords) {
      add(std::string(word), {ActionKind::kWindow, i});
    }
  }
  for (uint32_t i = 0; i < own.size(); ++i) {
    for (const std::string& word : own[i].rule.keywords) {
      add(SecretLowered(word), {ActionKind::kOwnWindow, i});
    }
  }
  scan = std::make_unique<const KeywordScan>(std::move(keywords));
}

bool Redactor::Rules::IsAllowed(std::string_view secret) const {
  return std::any_of(allow.begin(), allow.end(), [&](const auto& pattern) {
    return RE2::PartialMatch(re2::StringPiece(secret.data(), secret.size()), *pattern);
  });
}

// Finds the secrets of one text.
class SecretFinder final {
 public:
  SecretFinder(const Redactor::Rules& rules, std::string_view text, Writing writing = Writing::kAny)
      : rules_(rules),
        text_(text),
        writing_(writing),
        has_markers_(text.find(kMarker) != text.npos),
        windows_(WindowRules().size()),
        own_windows_(rules.own.size()) {}

  std::vector<SecretSpan> Find() {
    for (const SecretSpan& span : FindFormats(text_, FormatScope::kAll)) {
      Add(span.begin, span.end, span.kind, Rank::kFormat);
    }
    rules_.scan->Scan(text_, [&](KeywordScan::Hit hit) {
      if (has_markers_ && IsInMarker(text_, hit.at)) return;  // "aws" in "[redacted: aws-...]"
      for (const Action& action : rules_.actions[hit.keyword]) Take(hit, action);
    });
    for (size_t i = 0; i < windows_.size(); ++i) SearchWindows(i);
    for (size_t i = 0; i < own_windows_.size(); ++i) SearchOwnWindows(i);
    if (writing_ == Writing::kAny)
      ForEachDecodedPart(text_, [&](const auto& p) { SearchDecoded(p); });
    return Merged();
  }

 private:
  void Add(size_t begin, size_t end, std::string_view kind, Rank rank) {
    if (rules_.IsAllowed(text_.substr(begin, end - begin))) return;
    found_.push_back({begin, end, kind, rank});
  }

  void Take(KeywordScan::Hit hit, const Action& action) {
    const size_t end = hit.at + rules_.scan->keyword(hit.keyword).size();
    switch (action.kind) {
      case ActionKind::kName:
        return TakeName(hit.at, end, NameKeywords()[action.rule].family);
      case ActionKind::kService:
        return TakeService(hit.at, end, action.rule);
      case ActionKind::kWindow: {
        const WindowRule& rule = WindowRules()[action.rule];
        return windows_[action.rule].Add(hit.at - std::min(hit.at, rule.before),
                                         std::min(text_.size(), hit.at + rule.after));
      }
      case ActionKind::kOwnWindow: {
        constexpr size_t kOwnBefore = 200;
        constexpr size_t kOwnAfter = 1000;
        return own_windows_[action.rule].Add(hit.at - std::min(hit.at, kOwnBefore),
                                             std::min(text_.size(), end + kOwnAfter));
      }
      case ActionKind::kUrl:
        if (const auto password = PasswordOfUrl(text_, end)) {
          Add(password->first, password->second, "url-password", Rank::kUrl);
        }
        return;
      case ActionKind::kAwsKey:
        return TakeAwsSecret(hit.at);
    }
  }

  void TakeName(size_t begin, size_t end, SecretFamily family) {
    const auto value = ValueOfName(text_, begin, end);
    if (!value) return;
    const std::string_view name =
        text_.substr(value->name_begin, value->name_end - value->name_begin);
    family = FamilyOfName(name, begin - value->name_begin, end - value->name_begin, family);
    if (!IsSecretValue(text_.substr(value->begin, value->end - value->begin), family,
                       value->evidence)) {
      return;
    }
    if (IsInMarker(text_, begin)) return;
    Add(value->begin, value->end,
        family == SecretFamily::kPassword ? std::string_view("password")
                                          : std::string_view("generic-secret"),
        Rank::kGeneric);
  }

  void TakeService(size_t begin, size_t end, uint32_t rule) {
    if (!BeginsWord(text_, begin)) return;
    const auto value = ValueOfName(text_, begin, end);
    if (!value) return;
    const std::string_view secret = text_.substr(value->begin, value->end - value->begin);
    const std::string_view name =
        text_.substr(value->name_begin, value->name_end - value->name_begin);
    if (secret.size() < 14 || !MayNameSecret(name) ||
        (value->evidence == SecretEvidence::kMentioned && !NamesSecret(name)) ||
        !RE2::FullMatch(re2::StringPiece(secret.data(), secret.size()),
                        rules_.services[rule]->get()) ||
        !IsServiceValue(secret, value->evidence) || IsInMarker(text_, begin)) {
      return;
    }
    Add(value->begin, value->end, ServiceRules()[rule].kind, Rank::kService);
  }

  // A secret access key stands near its id, or near "aws".
  void TakeAwsSecret(size_t at) {
    constexpr size_t kBefore = 120;
    constexpr size_t kAfter = 240;
    const bool id = text_[at] == 'A' && at + 1 < text_.size() && text_[at + 1] != 'W';
    const size_t first = std::max(aws_until_, id ? at - std::min(at, kBefore) : at);
    const size_t last = std::min(text_.size(), at + kAfter);
    const auto of_key = [](char c) {
      return IsSecretAlnum(c) || c == '/' || c == '+' || c == '=' || c == '_' || c == '-';
    };
    size_t begin = first;
    while (begin > 0 && begin < last && of_key(text_[begin - 1])) ++begin;
    while (begin < last) {
      if (!of_key(text_[begin])) {
        ++begin;
        continue;
      }
      size_t end = begin;
      while (end < text_.size() && end - begin <= 2 * kAwsSecretBytes && of_key(text_[end])) ++end;
      TakeAwsRun(begin, end);
      begin = std::max(end, begin + 1);
    }
    aws_until_ = std::max(aws_until_, begin);
  }

  void TakeAwsRun(size_t begin, size_t end) {
    const size_t equals = text_.substr(begin, end - begin).rfind('=');
    if (equals != std::string_view::npos && begin + equals + 1 < end) begin += equals + 1;
    if (begin > 0 && text_[begin - 1] == '\\' && end - begin == kAwsSecretBytes + 1) ++begin;
    const std::string_view run = text_.substr(begin, end - begin);
    if (run.size() != kAwsSecretBytes || !HasUpperLowerDigit(run)) return;
    if (run.find_first_of("_-=") != run.npos || Randomness(run) < 0.36) return;
    if (!IsSecretValue(run, SecretFamily::kKey, SecretEvidence::kAssigned)) return;
    Add(begin, end, "aws-secret-access-key", Rank::kWindow);
  }

  void SearchWindows(size_t index) {
    const WindowRule& rule = WindowRules()[index];
    const bool stands_alone = rule.pattern.starts_with("(") && !rule.pattern.starts_with("(?");
    const Rank rank = rule.check >= WindowCheck::kPassword ? Rank::kContext : Rank::kWindow;
    for (const auto& [begin, end] : windows_[index].ranges()) {
      Search(rules_.windows[index]->get(), begin, end, [&](size_t from, size_t to) {
        if (stands_alone && !BeginsToken(from)) return false;
        if (PassesCheck(rule.check, text_.substr(from, to - from)) && !IsInMarker(text_, from)) {
          Add(from, to, rule.kind, rank);
        }
        return true;
      });
    }
  }

  void SearchDecoded(const DecodedPart& part) {
    for (const SecretSpan& secret : SecretFinder(rules_, part.text, Writing::kDecoded).Find()) {
      const auto [begin, end] = part.Written(secret.begin, secret.end);
      if (!IsInMarker(text_, begin)) Add(begin, end, secret.kind, Rank::kGeneric);
    }
  }

  // Whether a token may begin here, and not within a longer random text, such as base64 of URLs.
  bool BeginsToken(size_t at) const {
    if (!MayBeginSecret(text_, at)) return false;
    if (at == 0 || (text_[at - 1] != '-' && text_[at - 1] != '_')) return true;
    constexpr size_t kLookedAt = 16;
    const size_t first = at - std::min(at, kLookedAt);
    size_t begin = at - 1;
    while (begin > first && IsSecretAlnum(text_[begin - 1])) --begin;
    const std::string_view before = text_.substr(begin, at - 1 - begin);
    const bool both_cases = std::any_of(before.begin(), before.end(), IsSecretUpper) &&
                            std::any_of(before.begin(), before.end(), IsSecretLower);
    return before.size() < 8 ? !both_cases : Randomness(before) < 0.3;
  }

  void SearchOwnWindows(size_t index) {
    const Redactor::Rules::OwnRule& own = rules_.own[index];
    if (own.rule.keywords.empty()) own_windows_[index].Add(0, text_.size());
    for (const auto& [begin, end] : own_windows_[index].ranges()) {
      Search(*own.pattern, begin, end, [&](size_t from, size_t to) {
        if (EntropyOf(text_.substr(from, to - from)) >= own.rule.entropy &&
            !IsInMarker(text_, from)) {
          Add(from, to, own.rule.id, Rank::kOwn);
        }
        return true;
      });
    }
  }

  // Calls found(begin, end) for each match; if it returns false, a match may begin within this one.
  template <typename Found>
  void Search(const RE2& pattern, size_t begin, size_t end, Found found) const {
    const re2::StringPiece text(text_.data(), text_.size());
    re2::StringPiece groups[2];
    const int wanted = pattern.NumberOfCapturingGroups() > 0 ? 2 : 1;
    while (begin < end && pattern.Match(text, begin, end, RE2::UNANCHORED, groups, wanted)) {
      const re2::StringPiece& whole = groups[0];
      const re2::StringPiece& secret = wanted == 2 ? groups[1] : groups[0];
      const auto whole_begin = static_cast<size_t>(whole.data() - text_.data());
      if (has_markers_ && IsInMarker(text_, whole_begin)) {
        begin = whole_begin + 1;
        continue;
      }
      const auto whole_end = whole_begin + whole.size();
      if (secret.data() != nullptr && !secret.empty()) {
        const auto from = static_cast<size_t>(secret.data() - text_.data());
        const bool passed = found(from, from + secret.size());
        // What follows the secret may precede the next one.
        begin = passed ? std::max(begin + 1, from + secret.size()) : from + 1;
      } else {
        begin = std::max(begin + 1, whole_end);
      }
    }
  }

  std::vector<SecretSpan> Merged() {
    std::sort(found_.begin(), found_.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.begin, a.rank, b.end, a.kind) < std::tie(b.begin, b.rank, a.end, b.kind);
    });
    std::vector<SecretSpan> spans;
    Rank rank = Rank::kGeneric;
    for (const Candidate& next : found_) {
      if (spans.empty() || next.begin >= spans.back().end) {
        spans.push_back({next.begin, next.end, next.kind});
        rank = next.rank;
        continue;
      }
      spans.back().end = std::max(spans.back().end, next.end);
      // What a token contains by chance does not name it.
      if (next.rank < rank && rank > Rank::kWindow) {
        spans.back().kind = next.kind;
        rank = next.rank;
      }
    }
    return spans;
  }

  const Redactor::Rules& rules_;
  std::string_view text_;
  Writing writing_;
  bool has_markers_;
  std::vector<Candidate> found_;
  std::vector<Regions> windows_;
  std::vector<Regions> own_windows_;
  size_t aws_until_ = 0;
};

Result<Redactor> Redactor::Make(std::span<const SecretRule> own,
                                std::span<const std::string> allow) {
  auto rules = std::make_shared<Rules>();
  for (const SecretRule& rule : own) {
    auto pattern = std::make_unique<const RE2>(rule.pattern, PatternOptions());
    RECALL_TRY(CheckRule(rule, *pattern));
    rules->own.push_back({rule, std::move(pattern)});
  }
  for (const std::string& allowed : allow) {
    auto pattern = std::make_unique<const RE2>(allowed, PatternOptions());
    if (!pattern->ok()) {
      return Fail(Status::InvalidArgument(
          "the pattern '" + allowed +
          "' of what is no secret is no regular expression: " + pattern->error()));
    }
    rules->allow.push_back(std::move(pattern));
  }
  rules->IndexKeywords();
  return Redactor(std::move(rules));
}

std::vector<SecretSpan> Redactor::Find(std::string_view text) const {
  return SecretFinder(*rules_, text).Find();
}

namespace {

void CountSecrets(const std::vector<SecretSpan>& secrets, std::map<std::string, int64_t>* counts) {
  if (counts == nullptr) return;
  for (const SecretSpan& secret : secrets) ++(*counts)[std::string(secret.kind)];
}

// A private key in PEM whose lines are elements of a list, as in patches and notebooks.
class ListedKey final {
 public:
  // Whether a string is a line of the body of the key.
  bool HasLine(bool follows_string, std::string_view text) {
    if (!follows_string) state_ = State::kOutside;
    if (text.find("-----") != text.npos) {
      const size_t head = text.find("-----BEGIN ");
      const bool begins = head != text.npos && text.find("PRIVATE KEY", head) != text.npos;
      state_ = begins ? State::kBegun : State::kOutside;
      return false;
    }
    if (state_ == State::kOutside) return false;
    text = Trim(text);
    if (text.starts_with('+') || text.starts_with('-')) text = Trim(text.substr(1));  // of a patch
    constexpr size_t kLeastLine = 40;
    const bool is_base64 = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return IsSecretAlnum(c) || c == '+' || c == '/' || c == '=';
    });
    if (!is_base64 || (state_ == State::kBegun && text.size() < kLeastLine)) return false;
    state_ = State::kInBody;
    return true;
  }

 private:
  enum class State : uint8_t { kOutside, kBegun, kInBody };
  State state_ = State::kOutside;
};

std::string RedactedKeyLine() { return std::string(kMarker) + std::string(kPrivateKeyKind) + "]"; }

}  // namespace

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
  ListedKey key;
  const auto redact = [&](const JsonStringPlace& place, std::string_view text) {
    const std::string redacted = RedactNamed(place.name, text, counts);
    return key.HasLine(place.follows_string, redacted) ? RedactedKeyLine() : redacted;
  };
  if (auto redacted = MapJsonStrings(line, redact)) return *std::move(redacted);
  return Redact(line, counts);
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

int Redactor::RulesVersion() { return 2; }

}  // namespace recall
