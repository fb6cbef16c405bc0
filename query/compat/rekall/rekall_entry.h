#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "query/compat/memories/foreign_memory.h"
#include "storage/base/result.h"

namespace recall {

// A link of Rekall's graph, between ids of entries.
struct RekallLink {
  std::string source;
  ForeignLink link;
};

// A note made of an entry of Rekall: a row of its table, or an element of its export, as an object.
// Several names are accepted for most fields, because the published description and the program
// differ. Links inside of the entry are added to *links. Errors: InvalidArgument, with the place,
// if it has no id and no title.
Result<ForeignNote> NoteOfRekallEntry(nlohmann::json entry, const SourcePlace& place,
                                      ForeignMemory* memory, std::vector<RekallLink>* links);

// A link made of a row or element as above; nullopt if it is not one between two entries.
std::optional<RekallLink> RekallLinkOf(nlohmann::json row, ForeignMemory* memory);

// Gives the links to their notes, and puts the notes in order of their ids. Of notes with the same
// id, the first one is kept; the others become faults.
void FinishRekallMemory(std::vector<RekallLink> links, ForeignMemory* memory);

}  // namespace recall
