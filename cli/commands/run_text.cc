#include "cli/commands/run_text.h"

#include <algorithm>

#include "cli/commands/run_jobs.h"
#include "cli/show/output/text_output.h"

namespace recall {
namespace {

constexpr UnixNanos kNanosPerSecond = 1'000'000'000;

void WriteEndFields(const std::optional<RunEnd>& end, JsonWriter& json) {
  json.Field("took_ms", end ? std::optional(end->micros / 1000) : std::nullopt);
  json.Field("exit_code", end ? std::optional(end->exit_code) : std::nullopt);
  if (!end || end->error.empty()) {
    json.Field("error", nullptr);
    return;
  }
  json.Object("error", [&] {
    json.Field("code", end->error);
    json.Field("message", end->message);
  });
}

// "io_error: 2 files could not be read"
std::string ErrorText(const RunEnd& end) {
  return end.error + (end.message.empty() ? "" : ": " + EscapeLine(end.message));
}

// "added 3, unchanged 410"; what is 0 is left out.
std::string CountsText(const std::map<std::string, int64_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    if (count == 0) continue;
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    text += (text.empty() ? "" : ", ") + EscapeLine(words) + " " + std::to_string(count);
  }
  return text;
}

std::string InColumn(std::string text, size_t columns) {
  text.resize(std::max(text.size(), columns), ' ');
  return text + "  ";
}

std::string WithoutBlanksAtEnd(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

// "failed with exit code 3"
std::string OutcomeText(const RunRecord& run) {
  std::string text(NameOf(run.status));
  if (run.end && run.end->exit_code != 0) {
    text += " with exit code " + std::to_string(run.end->exit_code);
  }
  return text;
}

}  // namespace

void WriteFields(const RunRecord& run, JsonWriter& json) {
  json.Field("began_at", FormatRfc3339(run.began));
  json.Field("status", NameOf(run.status));
  WriteEndFields(run.end, json);
  json.Objects("jobs", run.jobs, [&](const JobRecord& job) {
    json.Field("job", job.name);
    json.Field("status", NameOf(job.status));
    WriteEndFields(job.end, json);
    json.Field("counts", job.counts);
  });
}

std::string FormatJob(const JobRecord& job, bool stable) {
  const size_t widest = std::ranges::max(kJobNames, {}, &std::string_view::size).size();
  std::string text = "  " + InColumn(EscapeLine(job.name), widest);
  if (!job.end) {
    std::string status(NameOf(job.status));
    std::ranges::replace(status, '_', ' ');
    return text + status + "\n";
  }
  if (!stable) text += InColumn(FormatSeconds(job.end->micros), 6);
  if (!job.end->error.empty()) text += ErrorText(*job.end) + "  ";
  return WithoutBlanksAtEnd(text + CountsText(job.counts)) + "\n";
}

std::string FormatRun(const RunRecord& run, bool stable) {
  std::string text;
  if (!stable) text = FormatRfc3339(run.began - run.began % kNanosPerSecond) + "  ";
  text += OutcomeText(run);
  if (run.end && !stable) text += ", " + FormatSeconds(run.end->micros);
  text += "\n";
  for (const JobRecord& job : run.jobs) text += FormatJob(job, stable);
  return text;
}

}  // namespace recall
