#include "cli/show/output/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "cli/show/output/text_output.h"
#include "cli/show/terminal/terminal.h"
#include "storage/base/clock.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

constexpr int64_t kQuietMicros = 1'000'000;
constexpr size_t kBarColumns = 24;
constexpr int64_t kJsonMicros = 250'000;

// Returns: "[=====>    ]  42%  "; "" if the total is unknown.
std::string Bar(int64_t done, int64_t total) {
  if (total <= 0 && done > 0) return "";
  const double share = std::clamp(
      static_cast<double>(done) / static_cast<double>(std::max<int64_t>(total, 1)), 0.0, 1.0);
  const size_t filled = static_cast<size_t>(share * kBarColumns);
  std::string bar = "[" + std::string(filled, '=');
  if (filled < kBarColumns) bar += '>' + std::string(kBarColumns - filled - 1, ' ');
  return bar + "] " + std::to_string(static_cast<int>(share * 100)) + "%  ";
}

std::string Counts(int64_t done, int64_t total, std::string_view noun) {
  std::string counts = std::to_string(done);
  if (total > 0) counts += "/" + std::to_string(total);
  return counts + " " + std::string(noun);
}

// The average of a stage so far.
double AverageRate(int64_t done, int64_t micros) {
  return static_cast<double>(done) * 1e6 / std::max<double>(1, static_cast<double>(micros));
}

// The time that the rest takes at the average rate; nothing if that is unknown.
std::optional<int64_t> MicrosLeft(int64_t done, int64_t total, int64_t micros) {
  if (done <= 0 || total < done || micros <= 0) return std::nullopt;
  const double share = static_cast<double>(total - done) / static_cast<double>(done);
  return static_cast<int64_t>(share * static_cast<double>(micros));
}

std::optional<int64_t> Millis(std::optional<int64_t> micros) {
  return micros ? std::optional(*micros / 1000) : std::nullopt;
}

// Returns: ", 12 s left", ", 3 min left", ", 2 h left"; "" if it is unknown.
std::string TimeLeft(std::optional<int64_t> micros) {
  if (!micros) return "";
  const int64_t seconds = (*micros + 500'000) / 1'000'000;
  if (seconds < 100) return ", " + std::to_string(seconds) + " s left";
  const int64_t minutes = (seconds + 30) / 60;
  if (minutes < 100) return ", " + std::to_string(minutes) + " min left";
  return ", " + std::to_string((minutes + 30) / 60) + " h left";
}

// Returns: ", 400 per second, 4 s left"; "" if the rate is below 1.
std::string RateAndTimeLeft(int64_t done, int64_t total, int64_t micros) {
  const double rate = AverageRate(done, micros);
  if (rate < 1) return "";
  return ", " + std::to_string(static_cast<int64_t>(rate)) + " per second" +
         TimeLeft(MicrosLeft(done, total, micros));
}

const char* StageName(DerivedDataStage stage) {
  switch (stage) {
    case DerivedDataStage::kTraining:
      return "learning";
    case DerivedDataStage::kVectors:
      return "vectors";
    case DerivedDataStage::kWords:
      return "words";
    case DerivedDataStage::kChunkWords:
      return "chunk_words";
  }
  return "";
}

const char* StageName(const AddProgress& progress) {
  return progress.catch_up ? StageName(progress.catch_up->stage) : "documents";
}

const char* StageName(DoctorStage stage) {
  switch (stage) {
    case DoctorStage::kFile:
      return "file";
    case DoctorStage::kDocuments:
      return "documents";
    case DoctorStage::kSegments:
      return "segments";
    case DoctorStage::kTexts:
      return "texts";
    case DoctorStage::kIndex:
      return "index";
    case DoctorStage::kCopy:
      return "copy";
    case DoctorStage::kRepair:
      return "repair";
    case DoctorStage::kRebuild:
      return "rebuild";
  }
  return "";
}

const char* Describe(DoctorStage stage) {
  switch (stage) {
    case DoctorStage::kFile:
      return "checking the file";
    case DoctorStage::kDocuments:
      return "checking documents";
    case DoctorStage::kSegments:
      return "checking vector segments";
    case DoctorStage::kTexts:
      return "comparing texts";
    case DoctorStage::kIndex:
      return "checking the full-text index";
    case DoctorStage::kCopy:
      return "copying the store";
    case DoctorStage::kRepair:
      return "repairing tables";
    case DoctorStage::kRebuild:
      return "rebuilding indexes";
  }
  return "";
}

// Returns: what is done, with its share of chunks if their total is known.
std::string FormatChunkProgress(std::string_view doing, int64_t done, int64_t total,
                                int64_t micros) {
  if (total <= 0) return std::string(doing);
  return Bar(done, total) + std::string(doing) + ", " + Counts(done, total, "chunks") +
         RateAndTimeLeft(done, total, micros);
}

std::string FormatDerivedDataProgress(const DerivedDataProgress& progress, int64_t micros) {
  if (progress.stage == DerivedDataStage::kTraining) return "training on all texts";
  const char* const noun = progress.stage == DerivedDataStage::kVectors ? "vectors"
                           : progress.stage == DerivedDataStage::kWords ? "posting lists"
                                                                        : "chunks";
  return Bar(progress.done, progress.total) + Counts(progress.done, progress.total, noun) +
         RateAndTimeLeft(progress.done, progress.total, micros);
}

}  // namespace

ProgressLine::ProgressLine(bool enabled, std::string noun)
    : enabled_(enabled && IsTerminal(STDERR_FILENO)),
      noun_(std::move(noun)),
      stage_("documents"),
      stage_began_micros_(SteadyMicros()),
      started_micros_(SteadyMicros()) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

int64_t ProgressLine::MicrosOf(std::string_view stage) {
  const int64_t now = SteadyMicros();
  if (stage_ != stage) stage_began_micros_ = now;
  stage_ = stage;
  return now - stage_began_micros_;
}

void ProgressLine::Update(const AddProgress& progress) {
  const int64_t micros = MicrosOf(StageName(progress));
  Show(FormatProgress(progress, micros, TerminalColumns(STDERR_FILENO) - 1, noun_));
}

void ProgressLine::Update(const DoctorProgress& progress) {
  const int64_t micros = MicrosOf(StageName(progress.stage));
  Show(FormatProgress(progress, micros, TerminalColumns(STDERR_FILENO) - 1));
}

void ProgressLine::Update(const CompactProgress& progress) {
  const int64_t micros =
      MicrosOf(progress.derived ? StageName(progress.derived->stage) : progress.doing);
  Show(FormatProgress(progress, micros, TerminalColumns(STDERR_FILENO) - 1));
}

void ProgressLine::Say(std::string_view doing) {
  Show(std::string(doing.substr(0, TerminalColumns(STDERR_FILENO) - 1)));
}

void ProgressLine::Show(std::string line) {
  if (!enabled_ || SteadyMicros() - started_micros_ < kQuietMicros) return;
  std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
  shown_ = true;
}

ProgressJson::ProgressJson(bool enabled)
    : enabled_(enabled), shown_micros_(SteadyMicros()), stage_began_micros_(shown_micros_) {}

void ProgressJson::Update(const AddProgress& progress) {
  if (!IsDue(StageName(progress), progress.finished)) return;
  Write(FormatProgressJson(progress, SteadyMicros() - stage_began_micros_));
}

void ProgressJson::Update(const DoctorProgress& progress) {
  const bool complete = progress.total > 0 && progress.done == progress.total;
  if (IsDue(StageName(progress.stage), complete)) {
    Write(FormatProgressJson(progress, SteadyMicros() - stage_began_micros_, false));
  }
  doctor_ = progress;
}

void ProgressJson::Finish() {
  if (enabled_) Write(FormatProgressJson(doctor_, SteadyMicros() - stage_began_micros_, true));
}

// The first stage of an ingest is not announced: its lines begin with the first documents.
bool ProgressJson::IsDue(std::string_view stage, bool finished) {
  if (!enabled_) return false;
  const int64_t now = SteadyMicros();
  const bool begins = stage != stage_ && stage != "documents";
  if (begins) stage_began_micros_ = now;
  if (!finished && !begins && now - shown_micros_ < kJsonMicros) return false;
  shown_micros_ = now;
  stage_ = stage;
  return true;
}

void ProgressJson::Write(const std::string& line) {
  const std::string ended = line + "\n";
  std::fwrite(ended.data(), 1, ended.size(), stderr);
}

std::string FormatProgressJson(const DoctorProgress& progress, int64_t micros, bool finished) {
  std::string line;
  JsonWriter json(&line);
  json.BeginObject();
  json.Field("type", "progress");
  json.Field("finished", finished);
  json.Field("stage", StageName(progress.stage));
  json.Field("stage_done", progress.done);
  json.Field("stage_total", progress.total > 0 ? std::optional(progress.total) : std::nullopt);
  json.Field("stage_elapsed_ms", micros / 1000);
  json.Field("stage_left_ms", Millis(MicrosLeft(progress.done, progress.total, micros)));
  json.EndObject();
  return line;
}

std::string FormatProgressJson(const AddProgress& progress, int64_t micros) {
  const auto known = [](int64_t total) { return total > 0 ? std::optional(total) : std::nullopt; };
  const DerivedDataProgress stage = progress.catch_up.value_or(
      DerivedDataProgress{{}, progress.files_done, progress.files_total});
  std::string line;
  JsonWriter json(&line);
  json.BeginObject();
  json.Field("type", "progress");
  json.Field("finished", progress.finished);
  json.Field("stage", StageName(progress));
  json.Field("stage_done", stage.done);
  json.Field("stage_total", known(stage.total));
  const bool by_bytes = !progress.catch_up && progress.bytes_total > 0;
  json.Field("stage_elapsed_ms", micros / 1000);
  json.Field("stage_left_ms",
             Millis(MicrosLeft(by_bytes ? progress.bytes_done : stage.done,
                               by_bytes ? progress.bytes_total : stage.total, micros)));
  json.Field("documents", progress.files_done);
  json.Field("documents_total", known(progress.files_total));
  json.Field("bytes", progress.bytes_done);
  json.Field("bytes_total", known(progress.bytes_total));
  json.Field("added", progress.added);
  json.Field("updated", progress.updated);
  json.Field("refreshed", progress.refreshed);
  json.Field("unchanged", progress.unchanged);
  json.Field("skipped", progress.skipped);
  json.Field("failed", progress.failed);
  json.Field("removed", progress.removed);
  json.EndObject();
  return line;
}

std::string FormatProgress(const AddProgress& progress, int64_t micros, size_t columns,
                           std::string_view noun) {
  if (progress.catch_up) {
    return FormatDerivedDataProgress(*progress.catch_up, micros).substr(0, columns);
  }
  // The remaining time depends more on bytes than on the number of files.
  const bool by_bytes = progress.bytes_total > 0;
  const int64_t done = by_bytes ? progress.bytes_done : progress.files_done;
  const int64_t total = by_bytes ? progress.bytes_total : progress.files_total;
  std::string line = Bar(done, total) + Counts(progress.files_done, progress.files_total, noun);
  if (progress.bytes_done > 0) {
    const double rate = AverageRate(progress.bytes_done, micros);
    line += "  " + FormatBytes(progress.bytes_done) + ", " +
            FormatBytes(static_cast<int64_t>(rate)) + "/s" +
            TimeLeft(MicrosLeft(done, total, micros));
  } else {
    line += RateAndTimeLeft(done, total, micros);
  }
  return line.substr(0, columns);
}

std::string FormatProgress(const DoctorProgress& progress, int64_t micros, size_t columns) {
  return FormatChunkProgress(Describe(progress.stage), progress.done, progress.total, micros)
      .substr(0, columns);
}

std::string FormatProgress(const CompactProgress& progress, int64_t micros, size_t columns) {
  const std::string line =
      progress.derived ? FormatDerivedDataProgress(*progress.derived, micros)
                       : FormatChunkProgress(progress.doing, progress.done, progress.total, micros);
  return line.substr(0, columns);
}

}  // namespace recall
