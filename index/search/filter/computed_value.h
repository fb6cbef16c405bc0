#pragma once

// Values of the computed fields of documents: what is known of notes, links, uses and reviews.
// Filters, ORDER BY and SELECT all take them from here.

#include <string_view>

#include "index/search/filter/fields.h"
#include "index/search/filter/sort_value.h"
#include "storage/notes/link_table.h"
#include "storage/notes/note_facts.h"

namespace recall {

// Whether the value of a field may be another one as of another time.
bool DependsOnTime(Field field);

// The value of doc.kind: "note", "session" or, for all other parsers, "file".
std::string_view KindOfParser(std::string_view parser);

// The value that a computed field has for a document with these facts. NoteFacts() stands for a
// document of which nothing is known: its counts are 0, and what else a note would have is missing.
// Requires: the field is not one of links, nor doc.kind.
SortValue ValueOfFacts(Field field, const NoteFacts& facts, UnixNanos now);

// Whether a computed field is one of links: their number (doc.links, doc.backlinks), or the paths
// at the other end of those with one relation (doc.link.REL, doc.backlink.REL), which are missing
// if there are none.
bool IsOfLinks(Field field);
bool IsLinkCount(Field field);
// The end of links at which the document is that has a field of links.
LinkEnd EndOf(Field field);
// Whether a field of links counts or contains links with a relation.
bool HasRelation(const FieldRef& field, std::string_view relation);

}  // namespace recall
