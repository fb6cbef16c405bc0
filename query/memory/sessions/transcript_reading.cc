// Reads a transcript and takes the secrets out of it, before anything else sees it.
//
//   file --ReadTranscript--> sessions --Redactor--> texts, paths, commands, titles --> cut
//        --lines-----------> Redactor ------------> zstd frames
//
// Readers leave every text whole: it is cut to its length in a document after its secrets are taken
// out, because half a secret is not recognised.
//
// Both ways read the file for themselves: a session contains strings as they are decoded, and a
// line that is kept is redacted as decoded, too, so an escape in JSON hides nothing. A transcript
// that is one document is redacted as a whole. A last line that is not complete is left for the
// next time.

#include "query/memory/sessions/transcript_reading.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "index/source/transcript/short_call.h"
#include "index/source/transcript/transcript_lines.h"

namespace recall {
namespace {

bool IsDatabase(const std::string& path) {
  return path.ends_with(".db") || path.ends_with(".vscdb");
}

// Whether a transcript is one document. Then a string, or a private key, may have several lines.
bool IsOneDocument(const TranscriptSource& source) {
  return source.agent == "aider" || source.path.ends_with(".json");
}

Result<std::vector<TranscriptBlock>> PackDocument(const TranscriptSource& source,
                                                  const ReadingOptions& options, bool torn) {
  RECALL_ASSIGN(std::string text, ReadWholeTranscript(source.path, options.limits));
  if (torn) text.erase(text.rfind('\n') + 1);
  if (options.redactor) text = options.redactor->RedactJsonLine(text, nullptr);
  TranscriptPacker packer;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    packer.AddLine(line);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return std::move(packer).Finish();
}

// The lines of a transcript without their secrets. A line that is too long is left out, as the
// readers leave it out.
Result<std::vector<TranscriptBlock>> PackLines(const TranscriptSource& source,
                                               const ReadingOptions& options, bool torn) {
  RECALL_ASSIGN(TranscriptLines lines, TranscriptLines::Open(source.path, options.limits));
  TranscriptPacker packer;
  const auto pack = [&](const std::string& line) {
    packer.AddLine(options.redactor ? options.redactor->RedactJsonLine(line, nullptr) : line);
  };
  std::optional<std::string> last;  // is left out if it is torn
  for (;;) {
    RECALL_ASSIGN(const auto line, lines.Next());
    if (!line) {
      if (last && !torn) pack(*last);
      return std::move(packer).Finish();
    }
    if (line->too_long) continue;
    if (last) pack(*last);
    last.emplace(line->text);
  }
}

}  // namespace

void RedactAndShorten(const Redactor* redactor, AgentSession* session,
                      std::map<std::string, int64_t>* counts) {
  const auto redact = [&](std::string* text) {
    if (redactor && !text->empty()) *text = redactor->Redact(*text, counts);
  };
  for (std::string* text : {&session->id, &session->parent, &session->cwd, &session->branch,
                            &session->commit, &session->model, &session->title}) {
    redact(text);
  }
  for (Turn& turn : session->turns) redact(&turn.text);
  for (const auto& [path, followed] : std::exchange(session->hints, {})) {
    std::string shown = path;
    redact(&shown);
    session->hints[shown] |= followed;
  }
  for (ToolCall& call : session->tool_calls) {
    call = ShortCall(call.turn, RedactedText(redactor, call.tool, counts),
                     RedactedText(redactor, call.path, counts),
                     RedactedText(redactor, call.command, counts));
  }
}

ReadTranscriptSource ReadAndRedact(const TranscriptSource& source, const ReadingOptions& options) {
  ReadTranscriptSource result;
  result.name = options.redactor ? options.redactor->Redact(source.path, nullptr) : source.path;
  auto read = ReadTranscript(source, options.limits);
  if (!read) {
    result.status = read.error();
    return result;
  }
  for (const auto& [kind, count] : read->unknown) {
    result.unknown[options.redactor ? options.redactor->Redact(kind, nullptr) : kind] += count;
  }
  result.torn = read->torn;
  for (AgentSession& session : read->sessions) {
    ReadSession& made = result.sessions.emplace_back();
    RedactAndShorten(options.redactor, &session, &made.redacted);
    made.session = std::move(session);
  }
  if (!options.keep_transcript || IsDatabase(source.path)) return result;
  const auto pack = IsOneDocument(source) ? PackDocument : PackLines;
  auto blocks = pack(source, options, result.torn);
  if (blocks) {
    result.blocks = std::move(*blocks);
  } else {
    result.status = blocks.error();
  }
  return result;
}

}  // namespace recall
