// Finds sessions by what tools were run with, and by what they returned.
//
// Problem. Commands stand in the text of a session, but in no chunk: their words would outweigh
// what was said. Outputs are nine tenths of a transcript and are not in the text at all; they are
// in the transcripts that were kept, which are compressed and in no index.
//
// Idea. Both are looked at on request only, and decide which sessions are ranked, not how. The
// texts that may have a command are known by their trigrams. Outputs are read from the transcripts
// of the newest sessions first, up to a number of bytes; a warning says what was left out.
//
// Invariant. What is shown of a transcript is in what `get --raw` shows: without secrets, and
// nothing where a scope hides documents.
//
// Cost: the texts of the sessions that may have the command; decompression of and one pass over the
// transcripts of the sessions that are left.

#include "query/ask/answer/tool_use_search.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/search/lines/line_pattern.h"
#include "index/source/session/session_meta.h"
#include "index/source/session/session_text.h"
#include "index/source/transcript/tool_outputs.h"
#include "query/ask/rows/text_candidates.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

constexpr size_t kOutputPartBytes = 240;

std::string WithoutCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::vector<std::string> WordsIn(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  std::vector<std::string> words;
  for (size_t at = text.find_first_not_of(kSpaces); at != text.npos;) {
    const size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
    words.push_back(WithoutCase(text.substr(at, end - at)));
    at = text.find_first_not_of(kSpaces, end);
  }
  return words;
}

// The part of an output around byte `at`, whole characters.
std::string PartAround(std::string_view output, size_t at) {
  if (output.size() <= kOutputPartBytes) return std::string(output);
  size_t begin = at - std::min(at, kOutputPartBytes / 2);
  begin = FloorToCharacter(output, std::min(begin, output.size() - kOutputPartBytes));
  const size_t end = FloorToCharacter(output, begin + kOutputPartBytes);
  return std::string(output.substr(begin, end - begin));
}

class ToolUseSearch final {
 public:
  ToolUseSearch(const TextsAndFacts& texts, const ToolUseConditions& wanted, const Bitmap* allowed)
      : texts_(texts), wanted_(wanted), allowed_(allowed), words_(WordsIn(wanted.outputs)) {}

  Result<FoundToolUses> Run() {
    std::optional<LinePattern> command;
    if (!wanted_.ran.empty()) {
      RECALL_ASSIGN(command,
                    LinePattern::Compile(wanted_.ran, {.is_literal = true, .ignore_case = true}));
    }
    RECALL_ASSIGN(const std::vector<DocRow> sessions, ListSessions(command));
    for (const DocRow& doc : sessions) RECALL_TRY(Look(doc, command));
    Warn();
    return std::move(found_);
  }

 private:
  // The sessions that may be found, the newest first.
  Result<std::vector<DocRow>> ListSessions(const std::optional<LinePattern>& command) const {
    const GramFilter grams = command ? command->grams() : GramFilter::OfLiteral("");
    RECALL_ASSIGN(const TextCandidates candidates, ListTextCandidates(texts_, allowed_, grams));
    std::vector<DocRow> sessions;
    for (const TextCandidate& candidate : candidates.documents) {
      RECALL_ASSIGN(DocRow doc, texts_.ReadDoc(candidate.doc_row));
      if (doc.parser == kSessionParser) sessions.push_back(std::move(doc));
    }
    std::ranges::stable_sort(sessions, std::greater<>(), &DocRow::mtime);
    return sessions;
  }

  Status Look(const DocRow& doc, const std::optional<LinePattern>& command) {
    FoundToolUses::Uses uses;
    std::optional<SessionTurns> session;
    if (command) {
      RECALL_ASSIGN(session, ReadTurnsOf(doc));
      uses.ran = RunsIn(*session, *command);
      if (uses.ran.empty()) return Status::Ok();
    }
    if (!words_.empty()) {
      RECALL_TRY(FindOutputs(doc, uses));
      if (uses.outputs.empty()) return Status::Ok();
      if (!session) {
        RECALL_ASSIGN(session, ReadTurnsOf(doc));
      }
      for (ToolOutput& output : uses.outputs) output.turn = TurnBefore(*session, output.line);
    }
    for (uint32_t i = 0; i < doc.chunk_count; ++i) {
      const uint32_t chunk = doc.first_chunk + i;
      if (!allowed_ || allowed_->Contains(chunk)) found_.chunks.Add(chunk);
    }
    found_.uses.emplace(doc.row, std::move(uses));
    return Status::Ok();
  }

  Result<SessionTurns> ReadTurnsOf(const DocRow& doc) const {
    RECALL_ASSIGN(const std::string text, texts_.ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
    return ReadSessionText(text);
  }

  static std::vector<CommandRun> RunsIn(const SessionTurns& session, const LinePattern& command) {
    std::vector<CommandRun> runs;
    for (const ToolCall& call : session.tool_calls) {
      if (runs.size() == kMostToolUses) break;
      bool matches = false;
      command.ForEachLine(call.command, [&](MatchedLine&&) {
        matches = true;
        return false;
      });
      if (matches) runs.push_back({call.turn, call.tool, call.command});
    }
    return runs;
  }

  // The last turn that begins before a line of the transcript; nothing if lines are unknown.
  static std::optional<uint32_t> TurnBefore(const SessionTurns& session, int64_t line) {
    std::optional<uint32_t> before;
    for (size_t i = 0; i < session.turns.size(); ++i) {
      const int64_t begin = session.turns[i].line;
      if (begin > 0 && begin <= line) before = static_cast<uint32_t>(i);
    }
    return before;
  }

  // Adds the outputs that have all words.
  Status FindOutputs(const DocRow& doc, FoundToolUses::Uses& uses) {
    const SessionMeta meta = ReadSessionMeta(doc.meta.value_or(""));
    if (read_bytes_ >= wanted_.most_bytes) {
      ++beyond_limit_;
      return Status::Ok();
    }
    std::optional<std::string> transcript;
    if (HasToolOutputs(meta.agent)) {
      RECALL_ASSIGN(transcript, texts_.ReadTranscript(meta.transcript));
    }
    if (!transcript) {
      ++without_outputs_;
      return Status::Ok();
    }
    read_bytes_ += transcript->size();
    ForEachToolOutput(meta.agent, meta.id, *transcript, [&](std::string_view text, int64_t line) {
      if (uses.outputs.size() == kMostToolUses) return;
      const std::string lower = WithoutCase(text);
      size_t first = lower.npos;
      for (const std::string& word : words_) {
        const size_t at = lower.find(word);
        if (at == lower.npos) return;
        first = std::min(first, at);
      }
      uses.outputs.push_back({{}, line, PartAround(text, first)});
    });
    return Status::Ok();
  }

  void Warn() {
    const auto add = [&](int64_t count, const char* why) {
      if (count == 0) return;
      found_.warnings.push_back("the outputs of " + std::to_string(count) +
                                (count == 1 ? " session" : " sessions") +
                                " were not searched: " + why);
    };
    add(without_outputs_,
        "the store has no transcript, or none in which outputs of tools are found");
    add(beyond_limit_, "too much was to be read; --since, --agent or --ran leave less of it");
    if (!found_.uses.empty()) return;
    found_.warnings.push_back(
        words_.empty() ? "no results: in no session a command with this text was run"
        : wanted_.ran.empty()
            ? "no results: in no session that was searched one output has these words"
            : "no results: no session that was searched has such a command and such an output");
  }

  const TextsAndFacts& texts_;
  const ToolUseConditions& wanted_;
  const Bitmap* allowed_;
  const std::vector<std::string> words_;  // without case
  FoundToolUses found_;
  uint64_t read_bytes_ = 0;  // of transcripts
  int64_t without_outputs_ = 0;
  int64_t beyond_limit_ = 0;
};

}  // namespace

Result<FoundToolUses> FindToolUses(const Snapshot& snapshot, const ToolUseConditions& wanted,
                                   const Bitmap* allowed) {
  return ToolUseSearch(snapshot.texts(), wanted, allowed).Run();
}

}  // namespace recall
