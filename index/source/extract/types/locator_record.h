#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/types/extraction.h"

namespace recall {

// The bytes of locator spans, in a store and between processes (docs/format/store.md). All numbers
// are LEB128:
//
//   count, then for each span:
//     start - end of the previous span, end - start, kind,
//     number - number of the previous span (zigzag), name, range   (a text is its size and bytes)
//
// A name or range equal to that of the previous span has the size 1 more than the longest, so that
// a sheet of many spans stores its name once.
std::string EncodeLocatorSpans(const std::vector<LocatorSpan>& spans);

// Reads any bytes. Returns nothing unless they are spans that ascend, are not empty, do not overlap
// and end within `text_size`, with texts that are UTF-8 without control characters.
std::optional<std::vector<LocatorSpan>> DecodeLocatorSpans(std::string_view record,
                                                           uint64_t text_size);

// The bytes where the pages of a text begin; empty if the record is invalid, or of other places.
std::vector<uint64_t> PageStartsOf(std::string_view record, uint64_t text_size);

// Names and ranges are cut to this many bytes, at a character.
inline constexpr size_t kMostLocatorText = 200;

// Returns the text of a locator as a record may have it: without control characters, cut to
// kMostLocatorText bytes.
std::string CleanLocatorText(std::string_view text);

}  // namespace recall
