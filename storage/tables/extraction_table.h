#pragma once

// The table `extraction` (docs/format/store.md, "Extractions"): what is known of documents whose
// text was extracted from a file of another format, and where in the file it is from.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/ids.h"
#include "storage/base/result.h"

namespace recall {

class Connection;

struct ExtractionRow {
  std::string format;      // "pdf"
  std::string outcome;     // "text", "no_text", "encrypted", ...
  std::string extractor;   // "pdf/3+poppler-22.12.0": format, version, that of the library
  Digest original_hash{};  // SHA-256 of the file
  int64_t original_size = 0;
  std::string reason;    // why there is no text; else ""
  std::string warnings;  // codes, separated by blanks
  std::string spans;     // the record of the locator spans (index/source/extract/types)

  bool operator==(const ExtractionRow&) const = default;
};

// Whether the store has the table; stores of formats before 15 do not.
Result<bool> HasExtractionTable(Connection& connection);

// Whether there is any row.
Result<bool> HasExtractions(Connection& connection);

// Of a document version; nothing if its text is that of the file. Errors: Corruption.
Result<std::optional<ExtractionRow>> FindExtraction(Connection& connection, int64_t doc_row);

// Visits the places of extracted texts, also those of removed versions, by document row: of the
// documents whose chunks `wants` asks for; others cost no read of their places. `spans` is valid
// until the visitor returns; an error of the visitor ends the scan. Errors: Corruption if the row
// of a document is impossible.
struct ExtractionPlaces {
  int64_t doc_row = 0;
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
  uint64_t size = 0;  // bytes of text
  std::string_view spans;
};
Status ScanExtractionPlaces(Connection& connection,
                            const std::function<bool(uint32_t first, uint32_t count)>& wants,
                            const std::function<Status(const ExtractionPlaces&)>& visit);

// All require a write transaction.
Status InsertExtraction(Connection& connection, int64_t doc_row, const ExtractionRow& row);
// Sets what may change while the text stays: extractor and warnings.
Status UpdateExtraction(Connection& connection, int64_t doc_row, const ExtractionRow& row);
Status DeleteExtraction(Connection& connection, int64_t doc_row);

}  // namespace recall
