// Finds the uses of definitions of source code.
//
//   name -> definitions with it (index on names)
//        -> documents of code whose trigrams have it -> places outside of comments and texts
//        -> places that define or declare it are left out
//        -> evidence for each definition; a place means those with the strongest
//
// Callers are the definitions around the places that are calls. Callees are found the other way
// round: the names that are called within the lines of a definition, if the store defines them.
//
// A place path:line names a definition, too. What cannot be used from a file is no candidate there.
// Nothing but the text says what a name means, so an answer has candidates; each row says by which
// evidence. Rows are ordered by evidence, path and line.
//
// Cost: the texts of the documents that may have the name; of callees, a look-up for each name.

#include "query/ask/uses/references.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/source/code/code_words.h"
#include "query/ask/answer/list.h"
#include "query/ask/answer/search.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/text_candidates.h"
#include "query/ask/rows/views.h"
#include "query/ask/uses/callees.h"
#include "query/ask/uses/code_document.h"
#include "query/ask/uses/known_definition.h"
#include "query/ask/uses/reference_evidence.h"

namespace recall {
namespace {

std::optional<uint32_t> LineNumber(std::string_view digits) {
  uint32_t line = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return line;
}

bool IsFunctionKind(std::string_view kind) {
  return kind == "function" || kind == "method" || kind == "macro";
}

class ReferenceSearch final {
 public:
  ReferenceSearch(const Snapshot& snapshot, const ReferencesRequest& request,
                  const std::string& store_root)
      : snapshot_(snapshot), texts_(snapshot.texts()), request_(request), store_root_(store_root) {}

  Result<ReferencesResponse> Run(const std::string& commit_token) {
    RECALL_ASSIGN(scope_, ResolveScope(snapshot_.filters(), request_.scope, commit_token,
                                       FilterDomain::kChunks));
    ReportScope(scope_, false, response_);
    RECALL_ASSIGN(const std::optional<PlaceOfDefinition> place, FindPlace());
    RECALL_TRY(place ? Status::Ok() : CheckName());
    if (place) name_ = place->name;
    RECALL_ASSIGN(known_, FindKnown(snapshot_, name_, request_.scope, commit_token));
    RECALL_TRY(MarkRequested(place, commit_token));
    RECALL_TRY(ReadVisibility(texts_, known_));
    WarnOfDefinitions();
    if (request_.relation == SymbolRelation::kCallees) {
      RECALL_ASSIGN(response_.rows, FindCallees(snapshot_, known_, request_.scope, commit_token));
    } else {
      RECALL_TRY(FindPlaces());
    }
    SortAndCut();
    return std::move(response_);
  }

 private:
  struct PlaceOfDefinition {
    std::string path;
    uint32_t start_line = 0;
    std::string name;
  };

  // The definition that the request names by a place, path:line; nothing if it does not.
  Result<std::optional<PlaceOfDefinition>> FindPlace() const {
    const size_t colon = request_.name.rfind(':');
    if (colon == request_.name.npos || colon == 0) return std::nullopt;
    std::string_view lines = std::string_view(request_.name).substr(colon + 1);
    lines = lines.substr(0, lines.find('-'));
    const std::optional<uint32_t> line = LineNumber(lines);
    if (!line) return std::nullopt;
    const std::string path = request_.name.substr(0, colon);
    RECALL_ASSIGN(std::optional<DocRow> doc, texts_.FindDoc(NormalizeDocPath(path, store_root_)));
    if (!doc) {
      RECALL_ASSIGN(doc, texts_.FindDoc(path));
    }
    if (!doc) return Fail(NoDocumentAt(path));
    RECALL_ASSIGN(const CodeDocument document, CodeDocument::Read(texts_, *std::move(doc)));
    const Symbol* const symbol = document.Around(*line);
    if (symbol == nullptr) {
      return Fail(Status::NotFound("no definition at " + request_.name,
                                   "name a line within one; `recall symbols '*'` lists all"));
    }
    return PlaceOfDefinition{document.doc().path, symbol->start_line, symbol->name};
  }

  Status CheckName() {
    const auto parts = SplitQualifiedName(request_.name);
    if (parts.empty()) {
      return Status::InvalidArgument("the name of the definition is empty", "name one");
    }
    name_ = parts.back();
    if (request_.name.find_first_of("*?") == request_.name.npos || name_.ends_with('?')) {
      return Status::Ok();
    }
    return Status::InvalidArgument("'" + request_.name + "' is a pattern",
                                   "`recall symbols` lists the names that match it");
  }

  Status MarkRequested(const std::optional<PlaceOfDefinition>& place,
                       const std::string& commit_token) {
    using Key = std::tuple<std::string, uint32_t, std::string, std::string>;
    const auto key = [](const SymbolRow& row) {
      return Key(row.doc.path, row.start_line, row.scope, row.kind);
    };
    std::set<Key> requested;
    if (!place) {
      RECALL_ASSIGN(const SymbolsResponse wanted,
                    FindNamed(snapshot_, request_.name, request_.scope, commit_token));
      for (const SymbolRow& row : wanted.rows) requested.insert(key(row));
    }
    for (KnownDefinition& known : known_) {
      known.is_requested =
          place ? known.row.doc.path == place->path && known.row.start_line == place->start_line
                : requested.contains(key(known.row));
      response_.definitions += known.is_requested ? 1 : 0;
    }
    return Status::Ok();
  }

  void WarnOfDefinitions() {
    if (known_.empty()) {
      response_.warnings.push_back("no definition of " + name_ +
                                   " in the store: any use of the name is shown");
    } else if (response_.definitions == 0) {
      response_.warnings.push_back("no definition of " + request_.name + ", but " +
                                   std::to_string(known_.size()) + " of " + name_);
      return;
    }
    std::set<std::string> names;  // the declaration of a member has the name of its definition
    for (const KnownDefinition& known : known_) {
      if (known.is_requested) names.insert(QualifiedName(known.row));
    }
    if (names.size() < 2) return;
    response_.warnings.push_back(std::to_string(names.size()) + " definitions are called " +
                                 request_.name +
                                 ": a qualified name (`recall symbols`) means one of them");
  }

  // The strongest evidence that a place means a requested definition; nothing if it speaks more for
  // another one.
  std::optional<ReferenceEvidence> EvidenceFor(const NamePlace& place) const {
    if (known_.empty()) return ReferenceEvidence::kName;
    std::optional<ReferenceEvidence> best[2];  // of others, of those that are requested
    for (const KnownDefinition& known : known_) {
      const auto evidence = EvidenceOf(place, known.named);
      auto& group = best[known.is_requested ? 1 : 0];
      if (evidence && (!group || *evidence < *group)) group = evidence;
    }
    return best[0] && (!best[1] || *best[0] < *best[1]) ? std::nullopt : best[1];
  }

  Status FindPlaces() {
    RECALL_ASSIGN(const TextCandidates found,
                  ListTextCandidates(texts_, scope_.allowed(), GramFilter::OfLiteral(name_)));
    for (const TextCandidate& candidate : found.documents) {
      RECALL_ASSIGN(DocRow doc, texts_.ReadDoc(candidate.doc_row));
      if (!IsSourceCode(doc)) continue;
      RECALL_ASSIGN(const AllowedParts allowed,
                    AllowedParts::Read(texts_, doc, candidate, scope_.allowed()));
      RECALL_ASSIGN(const CodeDocument document, CodeDocument::Read(texts_, std::move(doc)));
      AddPlaces(document, allowed);
    }
    return Status::Ok();
  }

  void AddPlaces(const CodeDocument& document, const AllowedParts& allowed) {
    const bool of_callers = request_.relation == SymbolRelation::kCallers;
    const std::vector<size_t> places = FindCodeWords(document.doc().path, document.text(), name_);
    const std::vector<size_t> defining = document.Defining(name_, places);
    for (const size_t at : places) {
      if (!allowed.Contains(at) || std::ranges::binary_search(defining, at)) continue;
      const uint32_t line = document.LineOf(at);
      const Symbol* const around = document.Around(line);
      std::vector<std::string> names;
      const NamePlace place = document.PlaceAt(at, at + name_.size(), around, &names);
      if (IsDeclarationPlace(place, around != nullptr && IsFunctionKind(around->kind))) continue;
      if (of_callers && (around == nullptr || !IsCallPlace(place))) continue;
      const auto evidence = EvidenceFor(place);
      if (!evidence) continue;
      ReferenceRow row = document.RowAt(at);
      row.evidence = *evidence;
      if (around != nullptr) row.symbol = document.RowOf(*around);
      of_callers ? AddCaller(std::move(row)) : response_.rows.push_back(std::move(row));
    }
  }

  // Joins calls within the same definition, which follow each other.
  void AddCaller(ReferenceRow row) {
    const auto same = std::ranges::find_if(response_.rows, [&](const ReferenceRow& other) {
      return other.doc.path == row.doc.path && other.symbol->start_line == row.symbol->start_line &&
             QualifiedName(*other.symbol) == QualifiedName(*row.symbol);
    });
    if (same == response_.rows.end()) {
      row.lines = {row.line};
      response_.rows.push_back(std::move(row));
      return;
    }
    same->evidence = std::min(same->evidence, row.evidence);
    if (same->lines.back() != row.line) same->lines.push_back(row.line);
  }

  void SortAndCut() {
    auto& rows = response_.rows;
    const bool of_callees = request_.relation == SymbolRelation::kCallees;
    std::ranges::stable_sort(rows, {}, [&](const ReferenceRow& row) {
      return std::tuple(of_callees ? ReferenceEvidence::kScope : row.evidence,
                        std::string_view(row.doc.path), row.line, row.column,
                        of_callees ? std::string_view(row.symbol->doc.path) : std::string_view());
    });
    response_.total_hits = static_cast<int64_t>(rows.size());
    const size_t first = std::min(request_.offset, rows.size());
    const size_t count = std::min(request_.limit.value_or(rows.size()), rows.size() - first);
    if (count > 0 && first + count < rows.size()) {
      response_.next_offset = static_cast<int64_t>(first + count);
    }
    rows.erase(rows.begin() + static_cast<ptrdiff_t>(first + count), rows.end());
    rows.erase(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(first));
  }

  const Snapshot& snapshot_;
  const TextsAndFacts& texts_;
  const ReferencesRequest& request_;
  const std::string& store_root_;
  std::string name_;  // the last part of the requested name
  ResolvedScope scope_;
  std::vector<KnownDefinition> known_;
  ReferencesResponse response_;
};

}  // namespace

Result<ReferencesResponse> FindReferences(const Snapshot& snapshot,
                                          const ReferencesRequest& request,
                                          const std::string& store_root,
                                          const std::string& commit_token) {
  return ReferenceSearch(snapshot, request, store_root).Run(commit_token);
}

}  // namespace recall
