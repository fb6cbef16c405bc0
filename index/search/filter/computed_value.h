#pragma once

// Values of the computed fields of documents: how they follow from what is known of notes, links,
// uses and reviews. Filters, ORDER BY and SELECT all take them from here, by way of the table of
// fields (field_table.h); each of them reads the facts and links in its own way.

#include <string>
#include <string_view>
#include <vector>

#include "index/search/filter/fields.h"
#include "index/search/filter/sort_value.h"
#include "storage/base/clock.h"
#include "storage/notes/note_facts.h"

namespace recall {

// The value of doc.kind: "note", "session" or, for all other parsers, "file".
std::string_view KindOfParser(std::string_view parser);

// Functions of NoteFact::value. Counts are 0 for a document of which nothing is known; other values
// are then missing.
SortValue StatusValue(const NoteFacts& facts, UnixNanos now);
SortValue LifecycleValue(const NoteFacts& facts, UnixNanos now);
SortValue UsesValue(const NoteFacts& facts, UnixNanos now);
SortValue UsedAtValue(const NoteFacts& facts, UnixNanos now);
SortValue ConsolidationValue(const NoteFacts& facts, UnixNanos now);
SortValue DueValue(const NoteFacts& facts, UnixNanos now);
SortValue IntervalValue(const NoteFacts& facts, UnixNanos now);
SortValue EasinessValue(const NoteFacts& facts, UnixNanos now);
SortValue ReviewsValue(const NoteFacts& facts, UnixNanos now);

// Whether a field of links counts or contains links with a relation. A field without a relation
// counts all links.
bool HasRelation(const FieldRef& field, std::string_view relation);
// The value of a field of links from the paths at their other end: a list, sorted, each path once
// (kCompound); missing if there are none.
SortValue ListOfPaths(std::vector<std::string> paths);

}  // namespace recall
