#pragma once

// The table `text_grams` (docs/format/store.md): which trigrams the text of a document has, so that
// a search for a pattern reads few texts. Source code has a row; other documents, and those of
// formats before 17, may have none.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

class Connection;

// The bits of the trigrams of `text`: three bytes within a line, with A-Z as a-z. Thread-safe.
std::string MakeTextGrams(std::string_view text);

// The numbers of the trigrams of a text that are compared with rows, from 0 to 2^17 - 1. Those for
// which `counts(trigram)` is false are left out.
std::vector<uint32_t> GramNumbers(std::string_view text,
                                  const std::function<bool(std::string_view)>& counts);

// Whether a text with the bits `grams` may have all these trigrams; true if the bits are damaged.
bool MayHaveGrams(ByteSpan grams, const std::vector<uint32_t>& numbers);

// Visits the rows, by document. The bytes are valid until the visitor returns.
Status ScanTextGrams(Connection& connection,
                     const std::function<void(int64_t doc_row, ByteSpan grams)>& visit);
// The bits of a document; "" if it has no row.
Result<std::string> FindTextGrams(Connection& connection, int64_t doc_row);

// Both require a write transaction. Inserts nothing if `grams` is "".
Status InsertTextGrams(Connection& connection, int64_t doc_row, std::string_view grams);
Status DeleteTextGrams(Connection& connection, int64_t doc_row);

}  // namespace recall
