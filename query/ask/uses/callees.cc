#include "query/ask/uses/callees.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "index/source/code/code_words.h"
#include "query/ask/uses/code_document.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

// The names in the lines of `caller` that are called, each with its places.
std::map<std::string, std::vector<size_t>> CalledNames(const CodeDocument& document,
                                                       const SymbolRow& caller) {
  const std::string_view text = document.text();
  std::map<std::string, std::vector<size_t>> called;
  const size_t end = document.LineEnd(caller.end_line);
  for (size_t at = document.LineBegin(caller.start_line); at < end; ++at) {
    if (!IsAsciiLetter(text[at]) && text[at] != '_') continue;
    size_t behind = at;
    while (behind < end && (IsAsciiAlnum(text[behind]) || text[behind] == '_')) ++behind;
    const NamePlace place{document.doc().path, text, at, behind, {}, {}};
    if (IsCallPlace(place)) called[std::string(text.substr(at, behind - at))] = {};
    at = behind;
  }
  for (auto& [name, places] : called) {
    for (const size_t at : FindCodeWords(document.doc().path, text, name)) {
      const NamePlace place{document.doc().path, text, at, at + name.size(), {}, {}};
      const uint32_t line = document.LineOf(at);
      if (line >= caller.start_line && line <= caller.end_line && IsCallPlace(place)) {
        places.push_back(at);
      }
    }
  }
  return called;
}

// Leaves out members as their class declares them, where the store has them with their body.
void DropDeclarations(std::vector<KnownDefinition>& candidates) {
  const auto lines = [](const KnownDefinition& known) {
    return known.row.end_line - known.row.start_line;
  };
  std::map<std::string, uint32_t> longest;  // by qualified name
  for (const KnownDefinition& known : candidates) {
    uint32_t& most = longest[QualifiedName(known.row)];
    most = std::max(most, lines(known));
  }
  std::erase_if(candidates, [&](const KnownDefinition& known) {
    return known.row.kind == "method" && lines(known) == 0 && longest[QualifiedName(known.row)] > 0;
  });
}

// The calls of a definition at places where there is no stronger evidence for another one.
std::optional<ReferenceRow> CallsOf(const CodeDocument& document, const KnownDefinition& callee,
                                    const std::vector<KnownDefinition>& candidates,
                                    const std::vector<size_t>& places,
                                    const std::vector<size_t>& defining) {
  std::optional<ReferenceRow> row;
  for (const size_t at : places) {
    if (std::ranges::binary_search(defining, at)) continue;
    std::vector<std::string> names;
    const NamePlace place = document.PlaceAt(at, at + callee.row.name.size(),
                                             document.Around(document.LineOf(at)), &names);
    const auto evidence = EvidenceOf(place, callee.named);
    const bool is_outdone = std::ranges::any_of(candidates, [&](const KnownDefinition& other) {
      const auto of_other = EvidenceOf(place, other.named);
      return of_other && evidence && *of_other < *evidence;
    });
    if (!evidence || is_outdone) continue;
    if (!row) {
      row = document.RowAt(at);
      row->evidence = *evidence;
      row->symbol = callee.row;
    }
    const uint32_t line = document.LineOf(at);
    if (row->lines.empty() || row->lines.back() != line) row->lines.push_back(line);
  }
  return row;
}

}  // namespace

Result<std::vector<ReferenceRow>> FindCallees(const Snapshot& snapshot,
                                              const std::vector<KnownDefinition>& callers,
                                              const Scope& scope, const std::string& commit_token) {
  const TextsAndFacts& texts = snapshot.texts();
  std::vector<ReferenceRow> rows;
  for (const KnownDefinition& caller : callers) {
    if (!caller.is_requested) continue;
    RECALL_ASSIGN(std::optional<DocRow> doc, texts.FindDoc(caller.row.doc.path));
    if (!doc) continue;
    RECALL_ASSIGN(const CodeDocument document, CodeDocument::Read(texts, *std::move(doc)));
    for (const auto& [name, places] : CalledNames(document, caller.row)) {
      RECALL_ASSIGN(std::vector<KnownDefinition> candidates,
                    FindKnown(snapshot, name, scope, commit_token));
      DropDeclarations(candidates);
      if (candidates.size() > 1) RECALL_TRY(ReadVisibility(texts, candidates));
      const std::vector<size_t> defining = document.Defining(name, places);
      for (const KnownDefinition& candidate : candidates) {
        auto row = CallsOf(document, candidate, candidates, places, defining);
        if (row) rows.push_back(*std::move(row));
      }
    }
  }
  return rows;
}

}  // namespace recall
