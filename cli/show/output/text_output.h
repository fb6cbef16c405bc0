#pragma once

// Answers as text: blocks with colours on a terminal, the same words without colour in a pipe.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/show/terminal/terminal.h"
#include "query/database/database.h"

namespace recall {

// Formats a size: "812 B", "1.2 MB". Units are powers of 1000, with one decimal.
std::string FormatBytes(int64_t bytes);

// Formats a time: "0.8 s".
std::string FormatSeconds(int64_t micros);

// Formats a count: "1 file", "3 files".
std::string Plural(int64_t count, std::string_view noun);

// Returns: "Added 12, updated 1, unchanged 3, skipped 2 files (140 chunks, 1.2 MB) in 0.8 s";
// without the time if `micros` is unset.
std::string FormatAddReport(const AddReport& report, bool dry_run, std::optional<int64_t> micros,
                            std::string_view noun = "file");

// Returns: sentences about the skipped documents. Up to three of one reason are named; more are
// summed up: "skipped 2,190 files that are not text (.gz 2,112, .png 38)". Reasons that differ from
// document to document are always named.
std::vector<std::string> SummarizeSkips(const AddReport& report, std::string_view noun = "file");

// Returns: "left out: 3 files and 1 directory by .gitignore (--no-ignore-files takes them), 2
// hidden files (--hidden takes them)"; "" if nothing was left out.
std::string FormatLeftOut(const LeftOutCounts& left_out);

// Returns: " (changed since)" or " (deleted)" behind the path of a document whose source is not
// what was added; else "".
std::string SourceMark(const DocView& doc, const TextStyle& style);

// Returns: lines that say what a hit was folded with; "" if with nothing.
std::string FoldedText(const SearchHit& hit, const TextStyle& style);

// Returns: "and 7 more places: 12-20, 31-60, ..." for a hit with more_places > 0.
std::string MorePlacesText(const SearchHit& hit);

// Returns: "score  path:first-last  heading", followed by the explanation and the snippet of the
// hit, if it has them. A heading that does not fit in the window is on lines of its own.
// `calibration` as in SearchExplain.
std::string FormatHit(const SearchHit& hit, const TextStyle& style, double calibration = 1);

// Returns: "score  path  1-hop: relation of path" for a neighbour of a hit, a line.
std::string FormatRelated(const RelatedDoc& related, const TextStyle& style);

// Returns: a target that `get` understands, on one line: "path:first-last", or the id of the chunk
// if the path has control characters.
std::string TargetOf(const SearchHit& hit);

// Returns: TargetOf, a tab, "score  path:first-last  heading", a newline. Control characters are
// escaped.
std::string FormatFzfLine(const SearchHit& hit);

}  // namespace recall
