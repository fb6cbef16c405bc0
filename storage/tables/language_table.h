#pragma once

// The table `doc_language` (docs/format/store.md): in which language each document version is.
// Stores of formats before 17 have none; the reading functions then find nothing.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

class Connection;

// The language of a document version.
struct DocLanguage {
  std::string code;       // ISO 639-1; "" if it has none
  bool is_given = false;  // by the user, not detected
  bool operator==(const DocLanguage&) const = default;
};

// Whether a text is "" or a code of ISO 639-1: two letters a-z.
bool IsLanguageValue(std::string_view text);

// Whether the store has the table.
Result<bool> RecordsLanguages(Connection& connection);

// The value that the expression RECALL_LANGUAGE_OF_DOC selects, and its parts.
DocLanguage ParseDocLanguage(std::string_view value);
// The language of the row of `doc` that a statement reads, and "!" if it was given; NULL if the
// document has none.
#define RECALL_LANGUAGE_OF_DOC                                                        \
  "(SELECT doc_language.lang || CASE doc_language.given WHEN 1 THEN '!' ELSE '' END " \
  "FROM doc_language WHERE doc_language.doc = doc.id)"

// The wanted languages that documents have, live or removed: at most `most`, and then the most
// frequent ones, by code. Documents are counted up to 1,000 for each language, and only if there
// are more languages. Reads a few entries of an index.
Result<std::vector<std::string>> ListLanguages(Connection& connection, size_t most,
                                               const std::function<bool(std::string_view)>& wanted);

// Both require a write transaction. Inserts nothing if the document has none.
Status InsertLanguage(Connection& connection, int64_t doc_row, const DocLanguage& language);
Status DeleteLanguage(Connection& connection, int64_t doc_row);

}  // namespace recall
