#pragma once

// Answers as a person reads them: blocks on a terminal, the same words without colour in a pipe.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/terminal.h"
#include "query/database.h"

namespace recall {

// "812 B", "1.2 MB": powers of 1000, one decimal.
std::string FormatBytes(int64_t bytes);

// "0.8 s".
std::string FormatSeconds(int64_t micros);

// "1 file", "3 files".
std::string Plural(int64_t count, std::string_view noun);

// "Added 12, updated 1, unchanged 3, skipped 2 files (140 chunks, 1.2 MB) in 0.8 s"; without
// `micros`, not how long it took.
std::string FormatAddReport(const AddReport& report, bool dry_run, std::optional<int64_t> micros,
                            std::string_view noun = "file");

// "score  path:first-last  heading", then how that came about and its snippet, if these are there.
// `calibration` as in SearchExplain, where hits are explained.
std::string FormatHit(const SearchHit& hit, const TextStyle& style, double calibration = 1);

}  // namespace recall
