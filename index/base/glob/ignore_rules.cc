#include "index/base/glob/ignore_rules.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

// Trailing spaces are ignored unless a backslash precedes them.
std::string_view WithoutTrailingSpaces(std::string_view line) {
  size_t end = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
      end = std::min(i + 1, line.size());
    } else if (line[i] != ' ') {
      end = i + 1;
    }
  }
  return line.substr(0, end);
}

IgnoreVerdict CheckKind(const IgnoreScope* scope, IgnoreRules IgnoreScope::*kind,
                        std::string_view absolute_path, bool is_directory,
                        const std::atomic<bool>* cancel) {
  const bool ends_at_repository = kind == &IgnoreScope::gitignore;
  for (; scope != nullptr; scope = scope->parent.get()) {
    const IgnoreVerdict verdict =
        (scope->*kind).Check(absolute_path.substr(scope->path_prefix), is_directory, cancel);
    if (verdict != IgnoreVerdict::kUndecided) return verdict;
    if (ends_at_repository && scope->repository_top) break;
  }
  return IgnoreVerdict::kUndecided;
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view file_text) {
  if (file_text.starts_with(kByteOrderMark)) file_text.remove_prefix(kByteOrderMark.size());
  while (!file_text.empty()) {
    const size_t end = std::min(file_text.find('\n'), file_text.size());
    std::string_view line = file_text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    AddLine(line);
    file_text.remove_prefix(std::min(end + 1, file_text.size()));
  }
}

void IgnoreRules::AddLine(std::string_view line) {
  if (line.starts_with('#')) return;
  line = WithoutTrailingSpaces(line);
  Rule rule;
  if (line.starts_with('!')) {
    rule.negated = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    rule.directories_only = true;
    line.remove_suffix(1);
  }
  rule.last_component = line.find('/') == std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  Result<Glob> glob = Glob::Compile(line, GlobDialect::kGitignore);
  if (!glob) return;
  rule.glob = *std::move(glob);
  rules_.push_back(std::move(rule));
}

IgnoreVerdict IgnoreRules::Check(std::string_view path, bool is_directory,
                                 const std::atomic<bool>* cancel) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto cancelled = [cancel] {
    return cancel != nullptr && cancel->load(std::memory_order_relaxed);
  };
  const auto rule = std::find_if(rules_.rbegin(), rules_.rend(), [&](const Rule& candidate) {
    return cancelled() || ((is_directory || !candidate.directories_only) &&
                           candidate.glob.Matches(candidate.last_component ? name : path));
  });
  if (cancelled()) return IgnoreVerdict::kIgnore;
  if (rule == rules_.rend()) return IgnoreVerdict::kUndecided;
  return rule->negated ? IgnoreVerdict::kInclude : IgnoreVerdict::kIgnore;
}

IgnoreDecision DecideIgnored(const IgnoreScope* scope, std::string_view absolute_path,
                             bool is_directory, const std::atomic<bool>* cancel) {
  const IgnoreVerdict verdict =
      CheckKind(scope, &IgnoreScope::recallignore, absolute_path, is_directory, cancel);
  if (verdict != IgnoreVerdict::kUndecided) return {verdict, true};
  return {CheckKind(scope, &IgnoreScope::gitignore, absolute_path, is_directory, cancel), false};
}

}  // namespace recall
