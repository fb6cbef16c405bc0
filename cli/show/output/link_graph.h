#pragma once

#include <string>

#include "query/types/note_types.h"

namespace recall {

// The links around a document as a drawing in Mermaid (`graph LR`) or in the language DOT of
// Graphviz. Documents are n0, n1, ... in the order of the report, labelled with their titles or
// paths; labels are quoted, so any text is safe in them. Missing documents are dashed.
std::string FormatMermaid(const LinksReport& report);
std::string FormatDot(const LinksReport& report);

// As text: a line for each document, below it a line for each link that leaves it.
std::string FormatLinks(const LinksReport& report, bool central);

}  // namespace recall
