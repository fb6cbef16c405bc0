#include "cli/run/command/command_context.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/show/output/response.h"
#include "storage/base/hosted.h"

namespace recall {
namespace {

// The maximum number of printed warnings, so that thousands of binary files do not hide the result.
constexpr size_t kMaxWarnings = 20;

// The bytes of an answer in parts that are written at a time.
constexpr size_t kPrintedBytes = size_t{64} << 10;

// White space is a fifth of an answer, and programs do not need it.
JsonWriter::Layout LayoutOfJson(bool terminal, bool pretty) {
  return terminal || pretty ? JsonWriter::Layout::kPretty : JsonWriter::Layout::kLine;
}

std::string Format(const JsonResponse& response, OutputMode mode, bool terminal, bool pretty) {
  const bool lines = mode == OutputMode::kJsonLines || mode == OutputMode::kLean;
  const std::string text =
      lines ? FormatJsonLines(response) : FormatJson(response, LayoutOfJson(terminal, pretty));
  return terminal ? EscapeJson(text) : text;
}

// "line 1, column 12: ", or "" without a position.
std::string PlaceWords(const Failure& failure) {
  if (!failure.position) return "";
  std::string words = "line " + std::to_string(failure.position->line);
  if (failure.position->column > 0) words += ", column " + std::to_string(failure.position->column);
  return words + ": ";
}

// The line with the error and the caret below it, indented.
std::string ExcerptLines(std::string_view excerpt) {
  std::string lines;
  while (!excerpt.empty()) {
    const size_t end = std::min(excerpt.find('\n'), excerpt.size());
    lines += "  " + EscapeControls(excerpt.substr(0, end)) + "\n";
    excerpt.remove_prefix(std::min(end + 1, excerpt.size()));
  }
  return lines;
}

// The line of an error or a warning, with its newline.
std::string Labelled(const std::string& label, const std::string& text) {
  return label + " " + EscapeLine(text) + "\n";
}

}  // namespace

bool PrettyJsonByEnvironment() {
  const char* const wanted = IsHosted() ? nullptr : std::getenv("RECALL_JSON");
  return wanted != nullptr && std::string_view(wanted) == "pretty";
}

void CommandContext::ShowPathsFromHere() {
  if (store_path.empty()) return;
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path store =
      IsServerAddress(store_path) ? here
                                  : std::filesystem::absolute(store_path, error).parent_path();
  for (TextStyle* style : {&out_style, &error_style}) {
    style->store_directory = store.lexically_normal();
    if (style->escape) style->from = here;
  }
}

// Adds what the session knows.
void CommandContext::Complete(JsonResponse* response) {
  response->warnings.insert(response->warnings.begin(), warnings.begin(), warnings.end());
  if (response->failure) failure = response->failure;
  response->stable = flags.stable;
  response->given_as_of = flags.as_of;
}

void CommandContext::Send(JsonResponse response) {
  Complete(&response);
  out->Write(Format(response, flags.mode(), out->IsTerminal(), pretty_json));
}

// Prints what `write` appends, in parts. An error after the first part is printed here: the
// document of --json stays unfinished, so that no reader takes it for a whole one, and the error is
// on stderr; lines end with one of the type "error".
Result<ExitCode> CommandContext::SendParts(const PartsWriter& write) {
  std::string text;
  bool begun = false;
  const auto print = [&] {
    out->Write(out->IsTerminal() ? EscapeJson(text) : text);
    text.clear();
  };
  const Status written = write(&text, [&] {
    if (out->is_captured() || text.size() < (begun ? kPrintedBytes : kHeldAnswerBytes)) return;
    begun = true;
    print();
  });
  if (!written.ok() && !begun) return Fail(written);
  print();
  if (written.ok()) return ExitCode::kDone;
  failure = Failure::FromStatus(written);
  const OutputMode mode = flags.mode() == OutputMode::kJson ? OutputMode::kText : flags.mode();
  PrintFailure(*failure, mode, error_style, {}, out, pretty_json);
  return failure->exit();
}

Result<ExitCode> CommandContext::Send(JsonResponse response, const JsonRows& rows) {
  Complete(&response);
  const bool one_line_each = flags.mode() != OutputMode::kJson;
  const JsonWriter::Layout layout = LayoutOfJson(out->IsTerminal(), pretty_json);
  return SendParts([&](std::string* text, const std::function<void()>& part_ends) {
    return one_line_each ? WriteJsonLines(response, rows, text, part_ends)
                         : WriteJson(response, rows, layout, text, part_ends);
  });
}

void CommandContext::SendObject(const std::function<void(JsonWriter&)>& write) {
  std::string text;
  JsonWriter json(&text, LayoutOfJson(out->IsTerminal(), pretty_json));
  json.BeginObject();
  write(json);
  json.EndObject();
  json.EndLine();
  out->Write(out->IsTerminal() ? EscapeJson(text) : text);
}

void CommandContext::PrintWarnings(const std::vector<std::string>& more, bool all) {
  if (flags.quiet) return;
  warnings.insert(warnings.end(), more.begin(), more.end());
  const std::string label = error_style.Warning("warning:");
  const size_t shown = all ? warnings.size() : std::min(warnings.size(), kMaxWarnings);
  for (size_t i = 0; i < shown; ++i) {
    out->WriteError(Labelled(label, warnings[i]));
  }
  if (warnings.size() > shown) {
    out->WriteError(label + " " + std::to_string(warnings.size() - shown) +
                    " more; --json lists them all\n");
  }
  warnings.clear();
}

void CommandContext::ShowWait() const {
  if (flags.quiet) return;
  // Erase a line of progress.
  const char* const wipe = IsTerminal(STDERR_FILENO) ? "\r\x1b[K" : "";
  std::fprintf(
      stderr, "%s%s\n", wipe,
      error_style
          .Dim("waiting for another process that writes to " + store_path + " (gives up after " +
               std::to_string((busy_timeout_ms() + 999) / 1000) + " s without a commit)")
          .c_str());
}

void CommandContext::Remark(const std::string& line) const {
  if (flags.quiet || !out_style.escape) return;
  out->Flush().IgnoreError();  // print the answer before the remark; main reports the error
  out->WriteError(error_style.Dim(line) + "\n");
}

void PrintFailure(const Failure& failure, OutputMode mode, const TextStyle& error_style,
                  const std::vector<std::string>& warnings, StdoutStream* out, bool pretty_json) {
  if (mode != OutputMode::kText) {
    JsonResponse response;
    response.failure = failure;
    response.warnings = warnings;
    out->Write(Format(response, mode, out->IsTerminal(), pretty_json));
    return;
  }
  out->Flush().IgnoreError();  // print the completed work before the error
  const std::string text = PlaceWords(failure) + failure.message;
  out->WriteError(Labelled(error_style.Error("error:"), text));
  if (failure.position) out->WriteError(ExcerptLines(failure.position->excerpt));
  if (!failure.hint.empty()) {
    out->WriteError(Labelled(error_style.Dim("hint:"), failure.hint));
  }
}

}  // namespace recall
