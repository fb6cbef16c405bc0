#include "index/source/extract/process/user_extraction.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "index/base/program/child_program.h"
#include "index/base/text/utf8.h"

namespace recall {
namespace {

bool IsBlank(std::string_view text) { return text.find_first_not_of(" \t\n\r\f") == text.npos; }

}  // namespace

Extraction ReadPagedText(std::string_view output) {
  size_t bad = 0;
  if (!IsValidUtf8(output, &bad) || output.find('\0') != output.npos) {
    return FailedExtraction(ExtractOutcome::kDamaged,
                            "the extractor wrote bytes that are no UTF-8 text, at byte " +
                                std::to_string(std::min(bad, output.find('\0'))));
  }
  if (output.starts_with(kByteOrderMark)) output.remove_prefix(kByteOrderMark.size());
  if (IsBlank(output)) {
    return FailedExtraction(ExtractOutcome::kNoText, "the extractor wrote no text");
  }
  Extraction extraction;
  std::string& text = extraction.text;
  const bool has_pages = output.find('\f') != output.npos;
  int64_t page = 1;
  while (!output.empty()) {
    const size_t end = std::min(output.find('\f'), output.size());
    const size_t start = text.size();
    for (const char c : output.substr(0, end)) {
      if (c != '\r') text.push_back(c);
    }
    if (text.size() > start && !text.ends_with('\n')) text.push_back('\n');
    if (has_pages && text.size() > start) {
      extraction.spans.push_back({start, text.size(), {LocatorKind::kPage, page, "", ""}});
    }
    ++page;
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return extraction;
}

Extraction ExtractByUser(const UserExtractor& extractor, std::string_view bytes,
                         const ExtractLimits& limits, const std::atomic<bool>& cancel) {
  using Event = ChildProgram::Event;
  using Clock = std::chrono::steady_clock;
  auto program = ChildProgram::Start(extractor.command);
  if (!program) {
    return FailedExtraction(ExtractOutcome::kUnsupported, std::string(program.error().message()));
  }
  const Clock::time_point deadline = Clock::now() + extractor.timeout;
  std::string_view input = bytes;
  std::string output;
  for (bool input_open = true;;) {
    if (input.empty() && std::exchange(input_open, false)) (*program)->CloseInput();
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    const auto event = (*program)->Exchange(&input, &output,
                                            std::max(left, std::chrono::milliseconds(0)), &cancel);
    if (!event)
      return FailedExtraction(ExtractOutcome::kDamaged, std::string(event.error().message()));
    if (output.size() > limits.max_text_bytes) {
      (*program)->Kill();
      return FailedExtraction(
          ExtractOutcome::kTooLarge,
          "its text has more than " + std::to_string(limits.max_text_bytes) + " bytes");
    }
    if (*event == Event::kTimeout || *event == Event::kCancelled) {
      (*program)->Kill();
      return FailedExtraction(ExtractOutcome::kTimedOut,
                              "the extractor " + extractor.name + " took longer than " +
                                  std::to_string(extractor.timeout.count() / 1000) + " s");
    }
    // A program may close its input before it has read the whole file, and still write text.
    if (*event == Event::kEnded && input.empty()) break;
    if (*event == Event::kEnded) input = {};
  }
  if (!(*program)->Succeeded()) {
    return FailedExtraction(ExtractOutcome::kDamaged,
                            "the extractor " + extractor.name + " " + (*program)->DescribeEnd());
  }
  return ReadPagedText(output);
}

}  // namespace recall
