#include "index/source/extract/pdf/pdf_child_messages.h"

#include <algorithm>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

constexpr size_t kMaxReasonBytes = 200;

bool HasText(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// Returns the text of the first error in the messages, without its kind and place: "Couldn't find
// trailer dictionary" for "Syntax Error (1234): Couldn't find trailer dictionary".
std::string FirstError(std::string_view messages) {
  while (!messages.empty()) {
    const size_t end = std::min(messages.find('\n'), messages.size());
    std::string_view line = messages.substr(0, end);
    messages.remove_prefix(std::min(end + 1, messages.size()));
    const size_t kind = line.find(" Error");
    if (kind == line.npos || kind > 20) continue;
    const size_t colon = line.find(": ", kind);
    if (colon == line.npos) continue;
    line.remove_prefix(colon + 2);
    std::string error;
    AppendRepairedUtf8(
        line.substr(0, FloorToCharacter(line, std::min(line.size(), kMaxReasonBytes))), &error);
    for (char& c : error) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    return error;
  }
  return "";
}

}  // namespace

PdfChildResult ReadPdfChildMessages(std::string_view messages, int exit_status) {
  PdfChildResult result;
  result.has_errors = HasText(messages, "Syntax Error") || HasText(messages, "Internal Error");
  if (exit_status == 0) return result;
  if (HasText(messages, "Incorrect password")) {
    result.outcome = ExtractOutcome::kEncrypted;
    result.reason = "a password is needed";
    return result;
  }
  if (exit_status == 3 || HasText(messages, "Unknown security handler") ||
      HasText(messages, "Unsupported version/revision")) {
    result.outcome = ExtractOutcome::kUnsupported;
    result.reason = exit_status == 3 ? "the file does not allow its text to be copied"
                                     : "it is encrypted in a way that poppler does not know";
    return result;
  }
  result.outcome = ExtractOutcome::kDamaged;
  const std::string error = FirstError(messages);
  result.reason = error.empty() ? "pdftotext ended with status " + std::to_string(exit_status)
                                : "pdftotext says: " + error;
  return result;
}

}  // namespace recall
