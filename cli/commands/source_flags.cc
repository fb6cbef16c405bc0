#include "cli/commands/source_flags.h"

#include <algorithm>
#include <utility>

#include "cli/commands/add_flags.h"
#include "cli/show/output/text_output.h"

namespace recall {
namespace {

constexpr size_t kMostNamed = 3;

std::string Sentence(const std::vector<std::string>& paths, std::string_view one,
                     std::string_view several) {
  std::string names;
  const size_t named = std::min(paths.size(), kMostNamed);
  for (size_t i = 0; i < named; ++i) names += (i > 0 ? ", " : "") + EscapeLine(paths[i]);
  if (paths.size() > named) names += " and " + std::to_string(paths.size() - named) + " more";
  return (paths.size() == 1 ? "the file of " : "the files of ") + names + " " +
         std::string(paths.size() == 1 ? one : several);
}

void AddOnce(const std::string& path, std::vector<std::string>& paths) {
  if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
}

}  // namespace

void SourceFlags::Declare(FlagSet& flags) {
  flags.Switch("--no-check", &no_check_, "do not compare results with their files");
  flags.Switch("--fresh", &fresh_, "first add changed files again, and remove deleted ones");
}

Status SourceFlags::Check(std::string_view snapshot) const {
  if (!fresh_ || (!no_check_ && snapshot.empty())) return {};
  return Status::InvalidArgument("--fresh and " +
                                 std::string(no_check_ ? "--no-check" : "--snapshot") +
                                 " cannot be combined");
}

Status SourceFlags::Refresh(CommandContext& context) const {
  if (!fresh_) return {};
  RefreshRequest request;
  request.check = CheckFor(context);
  AddFlags().Apply(context.config, context.program, &request.like);
  RECALL_ASSIGN(AddReport report, context.database->Refresh(request));
  for (AddSkip& skip : report.skips) context.warnings.push_back(std::move(skip.text));
  for (std::string& warning : report.warnings) context.warnings.push_back(std::move(warning));
  return {};
}

SourceCheck SourceFlags::CheckFor(const CommandContext& context) const {
  SourceCheck check;
  check.on = !no_check_ && (fresh_ || context.config.check_sources == "yes");
  check.secrets = context.config.secret_settings;
  check.within = context.check_within;
  return check;
}

void StaleSources::Add(const DocView& doc) {
  if (doc.source_state == SourceState::kChanged) AddOnce(doc.path, changed_);
  if (doc.source_state == SourceState::kDeleted) AddOnce(doc.path, deleted_);
}

std::vector<std::string> StaleSources::Warnings() const {
  std::vector<std::string> warnings;
  if (!changed_.empty()) {
    warnings.push_back(
        Sentence(changed_, "has changed since it was added", "have changed since they were added"));
  }
  if (!deleted_.empty()) {
    warnings.push_back(Sentence(deleted_, "is deleted", "are deleted"));
  }
  return warnings;
}

}  // namespace recall
