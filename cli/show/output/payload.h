#pragma once

// How much of a hit is printed, and how far its score can be trusted.

#include <optional>
#include <string>
#include <string_view>

#include "cli/options/settings/view.h"
#include "cli/show/terminal/terminal.h"
#include "query/types/search_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// How much of a hit is printed: as ever, with the evidence, or little.
enum class Payload { kPlain, kFull, kLean };

// The two cuts of a view. Scores below the first are noise, from the second on strong.
struct Bands {
  double read = 0.25;
  double strong = 0.40;
};

// The cuts of a view, or the default for those that it does not set. `view` may be null.
Bands BandsOf(const View* view);
// Returns: "strong", "read" or "noise".
std::string_view BandOf(double score, const Bands& bands);

// Returns: a text of at most `most` characters (code points): the text itself, or its beginning
// and an ellipsis, cut at the last space if that lies behind 60 % of the room.
std::string ShortenText(std::string_view text, size_t most);

inline constexpr size_t kLeanSummaryCharacters = 160;
inline constexpr size_t kLeanSnippetCharacters = 100;
// Of the answer to a question of a session, and of that in a line of --lean.
inline constexpr size_t kLeanReplyCharacters = 160;
inline constexpr size_t kLeanLineReplyCharacters = 60;
// What title and summary, or title and snippet, have together in a line of --lean; and what is left
// for the second one in any case.
inline constexpr size_t kLeanLineCharacters = 90;
inline constexpr size_t kLeanLineLeast = 40;

// The values of the card of a document, its metadata, that are not missing.
struct CardSummary {
  std::string kind;  // "note", "session", "file"
  std::optional<std::string> type;
  std::optional<std::string> title;
  std::optional<std::string> scope;
  std::optional<std::string> summary;
};
CardSummary CardOf(const DocView& doc);

// Returns: the beginning of what the matching chunk says, on one line and without the card of the
// document; the snippet of the hit, if it has one that is not of the card.
std::string ShortSnippet(const SearchHit& hit, size_t most);

// Where a lean hit is printed: as a result within a JSON document, or as a line of --lean, which a
// model pays for. A line has no id, since the path names the document, no kind if it is that of a
// note, a score as LeanScore has it, and a shorter text.
enum class LeanForm { kResult, kLine };

// Writes the members of the document of a lean result, or of a neighbour of hits.
void WriteLeanDoc(const DocView& doc, JsonWriter& json);
// Writes `answer`, of a question of a session; in a line only its turn and a shorter text.
void WriteLeanReply(const TurnReply& reply, LeanForm form, JsonWriter& json);
// Writes the lean hit: score, band and doc {id, path, kind, type, title, scope, summary}, without
// the values that the card does not have. Without a summary it has a snippet. A turn of a session
// has turn, role and at instead of a band, and a question the beginning of its answer.
void WriteLeanHit(const SearchHit& hit, const Bands& bands, LeanForm form, JsonWriter& json);
// Writes a whole hit, then band, mode, matched_terms, hop and topics.
void WriteFullHit(const SearchHit& hit, const Bands& bands, JsonWriter& json);

// Returns: "score band  path  title", and the summary or the snippet on lines of their own.
// Between them its explanation, if it has one; `calibration` as in SearchExplain.
std::string FormatLeanHit(const SearchHit& hit, const Bands& bands, const TextStyle& style,
                          double calibration);

// Returns: a line with the beginning of the answer, below a hit that is a question of a session;
// "" for other hits.
std::string FormatReply(const SearchHit& hit, const TextStyle& style);
// Returns: lines with the uses of tools that were asked for, below a hit that has some.
std::string FormatToolUses(const SearchHit& hit, const TextStyle& style);

}  // namespace recall
