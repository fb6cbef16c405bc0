#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/output/text_output.h"
#include "cli/terminal.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

constexpr int64_t kQuietMicros = 1'000'000;
constexpr size_t kBarColumns = 24;

}  // namespace

ProgressLine::ProgressLine(bool enabled)
    : enabled_(enabled && IsTerminal(STDERR_FILENO)), started_micros_(SteadyMicros()) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::Update(const AddProgress& progress) {
  if (!enabled_ || SteadyMicros() - started_micros_ < kQuietMicros) return;
  const std::string line = FormatProgress(progress, TerminalColumns(STDERR_FILENO) - 1);
  std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
  shown_ = true;
}

std::string FormatProgress(const AddProgress& progress, size_t columns) {
  // Bytes tell the time left better than files do.
  const bool by_bytes = progress.bytes_total > 0;
  const int64_t done = by_bytes ? progress.bytes_done : progress.files_done;
  const int64_t total =
      std::max<int64_t>(by_bytes ? progress.bytes_total : progress.files_total, 1);
  const double share = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
  const size_t filled = static_cast<size_t>(share * kBarColumns);
  std::string bar(filled, '=');
  if (filled < kBarColumns) bar += '>' + std::string(kBarColumns - filled - 1, ' ');
  const std::string line = "[" + bar + "] " + std::to_string(static_cast<int>(share * 100)) +
                           "%  " + std::to_string(progress.files_done) + "/" +
                           std::to_string(progress.files_total) + " files  " +
                           FormatBytes(progress.bytes_done);
  return line.substr(0, columns);
}

}  // namespace recall
