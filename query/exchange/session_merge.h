#pragma once

#include <string_view>

#include "query/add/records/import_source.h"

namespace recall {

// A session that is imported must not replace turns that the store has. These make of it what both
// versions say (index/source/session/session_version.h), with chunks cut anew.

bool IsSessionDocument(const DocRow& doc);
// Unites an imported session with another version of it. `text`, `meta`: of its document. Requires:
// IsSessionDocument(imported->doc).
void UniteWith(std::string_view text, std::string_view meta, const ChunkOptions& chunking,
               ImportedDocument* imported);

}  // namespace recall
