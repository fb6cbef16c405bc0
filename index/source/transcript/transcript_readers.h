#pragma once

// The reader of each agent's format. Errors and limits: those of ReadTranscript.

#include <functional>
#include <string>
#include <string_view>

#include "index/base/json/json_tape.h"
#include "index/source/transcript/session_builder.h"
#include "index/source/transcript/transcript.h"

namespace recall {

Result<TranscriptRead> ReadAider(const std::string& path, const TranscriptLimits& limits);
Result<TranscriptRead> ReadClaudeCode(const std::string& path, const TranscriptLimits& limits);
Result<TranscriptRead> ReadCodex(const std::string& path, const TranscriptLimits& limits);
Result<TranscriptRead> ReadCopilot(const std::string& path, const TranscriptLimits& limits);
Result<TranscriptRead> ReadCursor(const std::string& path, const TranscriptLimits& limits);
Result<TranscriptRead> ReadGemini(const std::string& path, const TranscriptLimits& limits);
Result<TranscriptRead> ReadJsonLines(const std::string& path, const TranscriptLimits& limits);
Result<TranscriptRead> ReadOpenCode(const std::string& path, const TranscriptLimits& limits);

// Calls visit(object, number of the line) for each line that is a JSON object, counts the others in
// *sessions, and leaves a last line that is not complete.
using VisitObject = std::function<void(TapeValue object, int64_t line)>;
Status ForEachJsonLine(const std::string& path, const TranscriptLimits& limits,
                       SessionSet* sessions, const VisitObject& visit);

// Calls visit(object, 0) if the file is one JSON object. One that is not complete counts as torn,
// what is none as not JSON.
Status ForJsonDocument(const std::string& path, const TranscriptLimits& limits,
                       SessionSet* sessions, const VisitObject& visit);

// "/a/b.c.jsonl" -> "b.c".
std::string FileStem(std::string_view path);
// The name of the directory `up` levels above a file; "" if there is none.
std::string DirectoryName(std::string_view path, int up = 1);

}  // namespace recall
