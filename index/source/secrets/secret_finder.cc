// Problem: transcripts and settings contain secrets without a format of their own, such as
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

#include "index/source/secrets/secret_finder.h"

#include <re2/re2.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "index/source/secrets/dumped_text.h"
#include "index/source/secrets/encoded_text.h"
#include "index/source/secrets/keyword_rules.h"
#include "index/source/secrets/named_value.h"
#include "index/source/secrets/secret_checks.h"
#include "index/source/secrets/secret_formats.h"
#include "index/source/secrets/secret_judge.h"
#include "index/source/secrets/secret_marker.h"
#include "index/source/secrets/secret_text.h"
#include "index/source/secrets/table_cells.h"

namespace recall {
namespace {

constexpr size_t kAwsSecretBytes = 40;

// Whether a text may have parts that are to be decoded, or is such a part.
enum class Writing : uint8_t { kAny, kDecoded };

// How much a kind says about a secret; the first ones say most.
enum class Rank : uint8_t { kOwn, kFormat, kService, kWindow, kUrl, kContext, kGeneric };

struct Candidate {
  size_t begin;
  size_t end;
  std::string_view kind;
  Rank rank;
};

// Whether a line is the result of a test, as DejaGnu and Automake write it: `FAIL: name`. A mark
// or the number of the line may stand before the word.
bool IsResultLine(std::string_view line) {
  constexpr size_t kMostResultMark = 12;
  size_t begin = 0;
  while (begin < std::min(line.size(), kMostResultMark) && !IsSecretLetter(line[begin])) ++begin;
  size_t end = begin;
  while (end < line.size() && IsSecretUpper(line[end])) ++end;
  if (!line.substr(end).starts_with(": ")) return false;
  const std::string_view word = line.substr(begin, end - begin);
  constexpr std::string_view kResults[] = {"PASS",     "FAIL",       "XFAIL",       "XPASS",
                                           "KFAIL",    "KPASS",      "SKIP",        "SKIPPED",
                                           "UNTESTED", "UNRESOLVED", "UNSUPPORTED", "DUPLICATE"};
  return std::find(std::begin(kResults), std::end(kResults), word) != std::end(kResults);
}

// Whether the name `PASS` is a result, and what follows the name of a test: `--- PASS: `, or a line
// beside one that is a result, too. `PASS` may also be a password, beside a `USER`.
bool IsTestResult(std::string_view text, size_t name_begin, size_t name_end) {
  if (text.substr(name_begin, name_end - name_begin) != "PASS" ||
      !text.substr(name_end).starts_with(": ")) {
    return false;
  }
  const std::string_view before = text.substr(0, name_begin);
  if (before.ends_with("--- ")) return true;
  // Bounded, so that the cost does not depend on how long lines are.
  constexpr size_t kMostLine = 1000;
  const size_t next = text.substr(name_end, kMostLine).find('\n');
  if (next != text.npos && IsResultLine(text.substr(name_end + next + 1, kMostLine))) return true;
  const std::string_view near = before.substr(before.size() - std::min(before.size(), kMostLine));
  const size_t line = near.rfind('\n');
  if (line == near.npos || line == 0) return false;
  const size_t previous = near.rfind('\n', line - 1);
  return IsResultLine(near.substr(previous == near.npos ? 0 : previous + 1));
}

// Ranges that are searched for a rule. They are given in the order of their keywords, or nearly so.
class Regions final {
 public:
  void Add(size_t begin, size_t end) {
    if (!ranges_.empty() && begin <= ranges_.back().second) {
      ranges_.back().first = std::min(ranges_.back().first, begin);
      ranges_.back().second = std::max(ranges_.back().second, end);
    } else {
      ranges_.emplace_back(begin, end);
    }
  }
  const std::vector<std::pair<size_t, size_t>>& ranges() const { return ranges_; }

 private:
  std::vector<std::pair<size_t, size_t>> ranges_;
};

// Finds the secrets of one text.
class SecretFinder final {
 public:
  SecretFinder(const SecretRules& rules, std::string_view text, Writing writing = Writing::kAny)
      : rules_(rules),
        text_(text),
        writing_(writing),
        has_markers_(text.find(kSecretMarker) != text.npos),
        own_windows_(rules.own().size()) {}

  std::vector<SecretSpan> Find() {
    for (const SecretSpan& span : FindFormats(text_, FormatScope::kAll)) {
      Add(span.begin, span.end, span.kind, Rank::kFormat);
    }
    rules_.scan().Scan(text_, [&](KeywordScan::Hit hit) {
      if (has_markers_ && IsInSecretMarker(text_, hit.at))
        return;  // "aws" in "[redacted: aws-...]"
      for (const KeywordAction& action : rules_.actions(hit.keyword)) Take(hit, action);
    });
    for (const auto& [rule, regions] : windows_) SearchWindows(rule, regions);
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

  void Take(KeywordScan::Hit hit, const KeywordAction& action) {
    const size_t end = hit.at + rules_.scan().keyword(hit.keyword).size();
    switch (action.kind) {
      case KeywordActionKind::kName:
        return TakeName(hit.at, end, NameKeywords()[action.rule].family);
      case KeywordActionKind::kService:
        return TakeService(hit.at, end, action.rule);
      case KeywordActionKind::kWindow: {
        const WindowRule& rule = WindowRules()[action.rule];
        return WindowsOf(action.rule)
            .Add(hit.at - std::min(hit.at, rule.before),
                 std::min(text_.size(), hit.at + rule.after));
      }
      case KeywordActionKind::kOwnWindow: {
        constexpr size_t kOwnBefore = 200;
        constexpr size_t kOwnAfter = 1000;
        return own_windows_[action.rule].Add(hit.at - std::min(hit.at, kOwnBefore),
                                             std::min(text_.size(), end + kOwnAfter));
      }
      case KeywordActionKind::kUrl:
        if (const auto password = PasswordOfUrl(text_, end)) {
          Add(password->first, password->second, "url-password", Rank::kUrl);
        }
        return;
      case KeywordActionKind::kAwsKey:
        return TakeAwsSecret(hit.at);
      case KeywordActionKind::kDump:
        return TakeDump(hit.at);
    }
  }

  void TakeName(size_t begin, size_t end, SecretFamily family) {
    const auto value = ValueOfName(text_, begin, end);
    if (!value) return TakeColumn(begin, end, family);
    const std::string_view name =
        text_.substr(value->name_begin, value->name_end - value->name_begin);
    family = FamilyOfName(name, begin - value->name_begin, end - value->name_begin, family);
    const std::string_view secret = text_.substr(value->begin, value->end - value->begin);
    if (!IsSecretValue(secret, family, value->evidence) &&
        !IsPersonsPassword(name, secret, family, value->evidence)) {
      if (value->evidence == SecretEvidence::kMentioned) TakeColumn(begin, end, family);
      return;
    }
    if (IsInSecretMarker(text_, begin)) return;
    if (IsTestResult(text_, value->name_begin, value->name_end)) return;
    Add(value->begin, value->end, KindOf(family), Rank::kGeneric);
  }

  static std::string_view KindOf(SecretFamily family) {
    return family == SecretFamily::kPassword ? std::string_view("password")
                                             : std::string_view("generic-secret");
  }

  // Whether a place is below the header that was found last.
  bool IsInTable(size_t at) const { return at > table_.first && at < table_.second; }

  // Takes the cells below a name that is in the header of a table.
  void TakeColumn(size_t begin, size_t end, SecretFamily family) {
    if (IsInTable(begin) || family == SecretFamily::kNone) return;
    size_t name_begin = begin;
    while (name_begin > 0 && begin - name_begin < 64 &&
           (IsSecretAlnum(text_[name_begin - 1]) || text_[name_begin - 1] == '_')) {
      --name_begin;
    }
    size_t name_end = end;
    while (name_end < text_.size() && name_end - end < 64 &&
           (IsSecretAlnum(text_[name_end]) || text_[name_end] == '_')) {
      ++name_end;
    }
    family = FamilyOfName(text_.substr(name_begin, name_end - name_begin), begin - name_begin,
                          end - name_begin, family);
    if (family == SecretFamily::kNone) return;
    const size_t until = ForEachCellBelow(text_, begin, end, [&](size_t from, size_t to) {
      const std::string_view cell = text_.substr(from, to - from);
      if (cell.find_first_of("'\"`()") == cell.npos &&
          IsSecretValue(cell, family, SecretEvidence::kMentioned) &&
          !IsInSecretMarker(text_, from)) {
        Add(from, to, KindOf(family), Rank::kGeneric);
      }
    });
    if (until == 0) return;
    // The other names of this header are looked at, but not what is below it.
    table_ = {std::min(text_.find('\n', end), text_.size()), until};
  }

  // Takes the secrets of a dump in hexadecimal digits, with the lines in which they are written.
  void TakeDump(size_t at) {
    if (at < dumps_until_ || writing_ == Writing::kDecoded) return;
    const DumpedText dump = ReadDump(text_, at);
    dumps_until_ = std::max(dumps_until_, dump.end);
    if (dump.bytes.size() < 16) return;
    for (const SecretSpan& secret : SecretFinder(rules_, dump.bytes, Writing::kDecoded).Find()) {
      for (size_t i = secret.begin; i < secret.end; ++i) {
        if (i > secret.begin && dump.lines[i] == dump.lines[i - 1]) continue;
        Add(dump.lines[i].first, dump.lines[i].second, secret.kind, Rank::kGeneric);
      }
    }
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
                        rules_.service_pattern(rule)) ||
        !IsServiceValue(secret, value->evidence) || IsInSecretMarker(text_, begin)) {
      return;
    }
    Add(value->begin, value->end, ServiceRules()[rule].kind, Rank::kService);
  }

  // Takes the secret access keys near an access key id, or near "aws".
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
    if (run.size() != kAwsSecretBytes || !IsAwsSecret(run)) return;
    Add(begin, end, "aws-secret-access-key", Rank::kWindow);
  }

  // Most texts have the keywords of few rules, and most are short.
  Regions& WindowsOf(uint32_t rule) {
    const auto found = std::find_if(windows_.begin(), windows_.end(),
                                    [&](const auto& window) { return window.first == rule; });
    if (found != windows_.end()) return found->second;
    return windows_.emplace_back(rule, Regions()).second;
  }

  void SearchWindows(uint32_t index, const Regions& regions) {
    const WindowRule& rule = WindowRules()[index];
    const bool stands_alone = rule.pattern.starts_with("(") && !rule.pattern.starts_with("(?");
    const Rank rank = rule.check >= WindowCheck::kPassword ? Rank::kContext : Rank::kWindow;
    for (const auto& [begin, end] : regions.ranges()) {
      Search(rules_.window_pattern(index), begin, end, [&](size_t from, size_t to) {
        if (stands_alone && !BeginsToken(from)) return false;
        if (PassesCheck(rule.check, text_.substr(from, to - from)) &&
            !IsInSecretMarker(text_, from)) {
          Add(from, to, rule.kind, rank);
        }
        return true;
      });
    }
  }

  void SearchDecoded(const DecodedPart& part) {
    for (const SecretSpan& secret : SecretFinder(rules_, part.text, Writing::kDecoded).Find()) {
      const auto [begin, end] = part.Written(secret.begin, secret.end);
      if (!IsInSecretMarker(text_, begin)) Add(begin, end, secret.kind, Rank::kGeneric);
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
    const SecretRules::OwnRule& own = rules_.own()[index];
    if (own.rule.keywords.empty()) own_windows_[index].Add(0, text_.size());
    for (const auto& [begin, end] : own_windows_[index].ranges()) {
      Search(*own.pattern, begin, end, [&](size_t from, size_t to) {
        if (EntropyOf(text_.substr(from, to - from)) >= own.rule.entropy &&
            !IsInSecretMarker(text_, from)) {
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
      if (has_markers_ && IsInSecretMarker(text_, whole_begin)) {
        begin = whole_begin + 1;
        continue;
      }
      const auto whole_end = whole_begin + whole.size();
      if (secret.data() != nullptr && !secret.empty()) {
        const auto from = static_cast<size_t>(secret.data() - text_.data());
        const bool passed = found(from, from + secret.size());
        // The text after this secret may be the beginning of the next match.
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
      // A format that occurs in a token by chance does not name the token.
      if (next.rank < rank && rank > Rank::kWindow) {
        spans.back().kind = next.kind;
        rank = next.rank;
      }
    }
    return spans;
  }

  const SecretRules& rules_;
  std::string_view text_;
  Writing writing_;
  bool has_markers_;
  std::vector<Candidate> found_;
  std::vector<std::pair<uint32_t, Regions>> windows_;  // by rule
  std::vector<Regions> own_windows_;
  size_t aws_until_ = 0;
  size_t dumps_until_ = 0;
  std::pair<size_t, size_t> table_ = {0, 0};  // the lines below the last header
};

}  // namespace

std::vector<SecretSpan> FindSecretsByRules(const SecretRules& rules, std::string_view text) {
  return SecretFinder(rules, text).Find();
}

}  // namespace recall
