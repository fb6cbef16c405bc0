#include "cli/setup/runs/run_record.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "index/base/json/json_tape.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

constexpr std::array<std::string_view, 7> kStatusNames = {
    "done", "failed", "cancelled", "skipped", "running", "interrupted", "not_run"};
constexpr int kCancelledExit = 130;
constexpr size_t kMostErrorBytes = 500;

template <typename Write>
std::string RunLine(const RunRecord& run, const Write& write) {
  std::string line;
  JsonWriter json(&line);
  json.BeginObject();
  json.Field("run", run.id);
  write(json);
  json.EndObject();
  json.EndLine();
  return line;
}

std::string OpeningLine(const RunRecord& run, bool skipped) {
  return RunLine(run, [&](JsonWriter& json) {
    json.Field("began", FormatRfc3339(run.began));
    json.BeginArray("jobs");
    for (const JobRecord& job : run.jobs) json.String(job.name);
    json.EndArray();
    if (skipped) json.Field("skipped", true);
  });
}

void WriteEnd(const RunEnd& end, JsonWriter& json) {
  json.Field("took_us", end.micros);
  json.Field("exit_code", end.exit_code);
  if (!end.error.empty()) json.Field("error", end.error);
  if (!end.message.empty()) json.Field("message", end.message.substr(0, kMostErrorBytes));
}

int64_t WholeNumber(TapeValue value) {
  int64_t number = 0;
  const std::string_view text = value.IsNumber() ? value.Raw() : "";
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

RunEnd ReadEnd(TapeValue line) {
  return {WholeNumber(line["took_us"]), static_cast<int>(WholeNumber(line["exit_code"])),
          line["error"].Text(), line["message"].Text()};
}

std::optional<RunRecord> ReadBegin(TapeValue line) {
  const std::optional<UnixNanos> began = ParseRfc3339(line["began"].Text());
  if (!began) return std::nullopt;
  RunRecord run;
  run.id = line["run"].Text();
  run.began = *began;
  if (line["skipped"].IsTrue()) run.status = RunStatus::kSkipped;
  line["jobs"].ForEach([&](TapeValue name) { run.jobs.push_back({.name = name.Text()}); });
  return run;
}

void ReadJob(TapeValue line, RunRecord* run) {
  const auto job = std::ranges::find(run->jobs, line["job"].Text(), &JobRecord::name);
  if (job == run->jobs.end()) return;
  job->end = ReadEnd(line);
  job->status = StatusOf(*job->end);
  line["counts"].ForEachMember([&](std::string_view name, TapeValue count) {
    job->counts[std::string(name)] = WholeNumber(count);
  });
}

}  // namespace

std::string_view NameOf(RunStatus status) { return kStatusNames[static_cast<size_t>(status)]; }

RunStatus StatusOf(const RunEnd& end) {
  if (end.exit_code == 0) return RunStatus::kDone;
  return end.exit_code == kCancelledExit ? RunStatus::kCancelled : RunStatus::kFailed;
}

std::string BeginLine(const RunRecord& run) { return OpeningLine(run, false); }

std::string SkippedLine(const RunRecord& run) { return OpeningLine(run, true); }

std::string JobLine(const RunRecord& run, const JobRecord& job) {
  return RunLine(run, [&](JsonWriter& json) {
    json.Field("job", job.name);
    if (job.end) WriteEnd(*job.end, json);
    json.Field("counts", job.counts);
  });
}

std::string EndLine(const RunRecord& run) {
  return RunLine(run, [&](JsonWriter& json) {
    if (run.end) WriteEnd(*run.end, json);
  });
}

std::vector<RunRecord> ParseRuns(std::string_view text) {
  std::vector<RunRecord> runs;
  std::unordered_map<std::string, size_t> places;
  JsonTape tape;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const bool parsed = tape.Parse(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!parsed || !tape.root().IsObject()) continue;
    const TapeValue line = tape.root();
    if (line["began"]) {
      std::optional<RunRecord> run = ReadBegin(line);
      if (!run || !places.try_emplace(run->id, runs.size()).second) continue;
      runs.push_back(std::move(*run));
      continue;
    }
    const auto place = places.find(line["run"].Text());
    if (place == places.end()) continue;
    RunRecord& run = runs[place->second];
    if (line["job"]) {
      ReadJob(line, &run);
    } else if (line["exit_code"]) {
      run.end = ReadEnd(line);
      run.status = StatusOf(*run.end);
    }
  }
  return runs;
}

}  // namespace recall
