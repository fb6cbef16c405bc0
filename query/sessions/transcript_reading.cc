// Reads a transcript and takes the secrets out of it, before anything else sees it.
//
//   file --ReadTranscript--> sessions --Redactor--> every text, path, command, title, directory
//        --lines-----------> Redactor ------------> zstd frames
//
// Both ways read the file for themselves: a session contains strings as they are decoded, and a
// line that is kept is redacted as decoded, too, so an escape in JSON hides nothing. A last line
// that is not complete is left for the next time.

#include "query/sessions/transcript_reading.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "storage/file_io/input_lines.h"

namespace recall {
namespace {

class SessionRedactor final {
 public:
  SessionRedactor(const Redactor& redactor, std::map<std::string, int64_t>* counts)
      : redactor_(redactor), counts_(counts) {}

  void Redact(AgentSession* session) const {
    for (std::string* text : {&session->cwd, &session->branch, &session->model, &session->title}) {
      Redact(text);
    }
    for (Turn& turn : session->turns) Redact(&turn.text);
    for (ToolCall& call : session->tool_calls) {
      Redact(&call.tool);
      Redact(&call.path);
      Redact(&call.command);
    }
  }

 private:
  void Redact(std::string* text) const {
    if (!text->empty()) *text = redactor_.Redact(*text, counts_);
  }

  const Redactor& redactor_;
  std::map<std::string, int64_t>* counts_;
};

bool IsDatabase(const std::string& path) {
  return path.ends_with(".db") || path.ends_with(".vscdb");
}

// The lines of a transcript without their secrets. A line that is too long is left out, as the
// readers leave it out.
Result<std::vector<TranscriptBlock>> PackTranscript(const TranscriptSource& source,
                                                    const ReadingOptions& options, bool torn) {
  RECALL_ASSIGN(auto file, InputFile::Open(source.path, options.limits.cancel));
  InputLines lines(std::move(file), options.limits.max_line_bytes);
  TranscriptPacker packer;
  std::optional<std::string> last;  // is left out if it is torn
  std::string line;
  for (;;) {
    auto more = lines.Next(&line);
    if (!more && more.error().code() == StatusCode::kLimitExceeded) {
      RECALL_TRY(lines.SkipLine());
      continue;
    }
    if (!more) return Fail(more.error());
    if (last && (*more || !torn)) {
      packer.AddLine(options.redactor ? options.redactor->RedactJsonLine(*last, nullptr) : *last);
    }
    if (!*more) return std::move(packer).Finish();
    last = std::move(line);
  }
}

}  // namespace

ReadTranscriptSource ReadAndRedact(const TranscriptSource& source, const ReadingOptions& options) {
  ReadTranscriptSource result;
  result.name = options.redactor ? options.redactor->Redact(source.path, nullptr) : source.path;
  auto read = ReadTranscript(source, options.limits);
  if (!read) {
    result.status = read.error();
    return result;
  }
  result.unknown = std::move(read->unknown);
  result.torn = read->torn;
  for (AgentSession& session : read->sessions) {
    ReadSession& made = result.sessions.emplace_back();
    if (options.redactor) SessionRedactor(*options.redactor, &made.redacted).Redact(&session);
    made.session = std::move(session);
  }
  if (!options.keep_transcript || IsDatabase(source.path)) return result;
  auto blocks = PackTranscript(source, options, result.torn);
  if (blocks) {
    result.blocks = std::move(*blocks);
  } else {
    result.status = blocks.error();
  }
  return result;
}

}  // namespace recall
