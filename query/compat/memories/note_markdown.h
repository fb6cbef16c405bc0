#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/compat/memories/foreign_memory.h"

namespace recall {

// A note of a store, to be written for other programs.
struct ExportedNote {
  std::string path;
  std::string text;  // the whole document
  // All links but those that the text itself has. Targets are paths.
  std::vector<ForeignLink> links;
  std::optional<ForeignUse> uses;
  std::optional<ForeignReview> review;
};

// The id that other programs know a note by: "a/b" for "notes/a/b.md".
std::string ExportedIdOf(std::string_view path);

// The name of a file without ".md": "a/b" for "a/b.md".
std::string StemmedName(std::string_view file);

// The file of a note, relative to the directory of the export. It never leaves the directory, and
// is not hidden. Two paths may have the same name.
std::string ExportedFileOf(std::string_view path);

// The note as bastra-recall and Basic Memory read it: with its id on the card, links as
// `related_via`, `related` and lines "- relation [[id]]", and, under keys of Recall's own, what an
// import needs to restore links, uses and the next review. `file`: its name, as above.
std::string ExportedMarkdown(const ExportedNote& note, std::string_view file);

}  // namespace recall
