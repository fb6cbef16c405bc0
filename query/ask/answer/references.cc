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

#include "query/ask/answer/references.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/source/code/code_words.h"
#include "index/source/code/import_lines.h"
#include "query/ask/answer/list.h"
#include "query/ask/answer/reference_evidence.h"
#include "query/ask/answer/search.h"
#include "query/ask/answer/symbols.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/text_candidates.h"
#include "query/ask/rows/views.h"
#include "query/types/grep_types.h"
#include "storage/base/ascii.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

struct KnownDefinition {
  SymbolRow row;
  NamedDefinition named;
  bool is_requested = false;
};

std::vector<std::string> ScopeNames(std::string_view scope) {
  std::vector<std::string> names;
  while (!scope.empty()) {
    const size_t end = std::min(scope.find(kScopeSeparator), scope.size());
    names.emplace_back(scope.substr(0, end));
    scope.remove_prefix(std::min(end + kScopeSeparator.size(), scope.size()));
  }
  return names;
}

std::optional<uint32_t> LineNumber(std::string_view digits) {
  uint32_t line = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return line;
}

bool IsFunctionKind(std::string_view kind) {
  return kind == "function" || kind == "method" || kind == "macro";
}

// A document of source code, with what is asked of it for each place.
class CodeDocument final {
 public:
  static Result<CodeDocument> Read(const TextsAndFacts& texts, DocRow row) {
    CodeDocument document;
    RECALL_ASSIGN(document.text_, texts.ReadText(row, 0, static_cast<uint64_t>(row.size)));
    for (const LineSpan& span : FindImports(document.text_)) {
      document.imports_ += document.text_.substr(span.begin, span.end - span.begin);
    }
    for (uint32_t i = 0; i < row.chunk_count; ++i) {
      RECALL_TRY(texts.ScanSymbols(row.first_chunk + i, [&](uint32_t, Symbol&& symbol) {
        if (symbol.begins) document.symbols_.push_back(std::move(symbol));
      }));
    }
    for (size_t at = 0; at < document.text_.size(); ++at) {
      if (at == 0 || document.text_[at - 1] == '\n') document.lines_.push_back(at);
    }
    document.doc_ = std::move(row);
    return document;
  }

  const DocRow& doc() const { return doc_; }
  const std::string& text() const { return text_; }

  uint32_t LineOf(size_t at) const {
    return static_cast<uint32_t>(std::ranges::upper_bound(lines_, at) - lines_.begin());
  }
  size_t LineBegin(uint32_t line) const { return lines_[line - 1]; }
  // The byte behind a line and its newline.
  size_t LineEnd(uint32_t line) const { return line < lines_.size() ? lines_[line] : text_.size(); }

  // The innermost definition around a line; null if there is none.
  const Symbol* Around(uint32_t line) const {
    const Symbol* innermost = nullptr;
    for (const Symbol& symbol : symbols_) {
      if (symbol.start_line > line || symbol.end_line < line) continue;
      if (innermost == nullptr || std::pair(symbol.start_line, innermost->end_line) >=
                                      std::pair(innermost->start_line, symbol.end_line)) {
        innermost = &symbol;
      }
    }
    return innermost;
  }

  // The places of a name that define it, ascending. `places`: all places of the name.
  std::vector<size_t> Defining(std::string_view name, const std::vector<size_t>& places) const {
    std::set<size_t> defining;
    for (const Symbol& symbol : symbols_) {
      if (symbol.name != name) continue;
      const auto place = std::ranges::find_if(places, [&](size_t at) {
        const uint32_t line = LineOf(at);
        return line >= symbol.start_line && line <= symbol.end_line && !defining.contains(at);
      });
      if (place != places.end()) defining.insert(*place);
    }
    return {defining.begin(), defining.end()};
  }

  // `names`: receives the names of the definitions around the place, which it must outlive.
  NamePlace PlaceAt(size_t begin, size_t end, const Symbol* around,
                    std::vector<std::string>* names) const {
    NamePlace place{doc_.path, text_, begin, end, imports_, {}};
    if (around != nullptr) {
      *names = ScopeNames(around->scope);
      names->push_back(around->name);
      place.scope.assign(names->begin(), names->end());
    }
    return place;
  }

  ReferenceRow RowAt(size_t at) const {
    ReferenceRow row;
    row.doc = MakeDocView(doc_);
    row.line = LineOf(at);
    row.column = static_cast<uint32_t>(at - LineBegin(row.line) + 1);
    std::string_view line = std::string_view(text_).substr(LineBegin(row.line));
    line = Trim(line.substr(0, line.find('\n')));
    size_t size = std::min(line.size(), kMostGrepLineBytes);
    while (size > 0 && size < line.size() && (line[size] & 0xC0) == 0x80) --size;
    row.text = line.substr(0, size);
    return row;
  }

  SymbolRow RowOf(const Symbol& symbol) const {
    return {MakeDocView(doc_), "", symbol.name, symbol.kind, symbol.scope, symbol.start_line,
            symbol.end_line};
  }

 private:
  CodeDocument() = default;

  DocRow doc_;
  std::string text_;
  std::string imports_;
  std::vector<Symbol> symbols_;
  std::vector<size_t> lines_;  // where each begins
};

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
    RECALL_ASSIGN(known_, FindKnown(name_, commit_token));
    RECALL_TRY(MarkRequested(place, commit_token));
    RECALL_TRY(ReadVisibility(known_));
    WarnOfDefinitions();
    if (request_.relation == SymbolRelation::kCallees) {
      RECALL_TRY(FindCallees(commit_token));
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

  // All definitions of a name.
  Result<std::vector<KnownDefinition>> FindKnown(const std::string& name,
                                                 const std::string& commit_token) const {
    RECALL_ASSIGN(SymbolsResponse all, FindNamed(name, commit_token));
    std::vector<KnownDefinition> known;
    for (SymbolRow& row : all.rows) {
      NamedDefinition named{row.doc.path, row.kind, ScopeNames(row.scope)};
      known.push_back({std::move(row), std::move(named), false});
    }
    return known;
  }

  Result<SymbolsResponse> FindNamed(const std::string& name,
                                    const std::string& commit_token) const {
    SymbolsRequest request{.name = name};
    request.scope.snapshot = request_.scope.snapshot;
    return FindSymbols(snapshot_, request, commit_token);
  }

  Status MarkRequested(const std::optional<PlaceOfDefinition>& place,
                       const std::string& commit_token) {
    using Key = std::tuple<std::string, uint32_t, std::string, std::string>;
    const auto key = [](const SymbolRow& row) {
      return Key(row.doc.path, row.start_line, row.scope, row.kind);
    };
    std::set<Key> requested;
    if (!place) {
      RECALL_ASSIGN(const SymbolsResponse wanted, FindNamed(request_.name, commit_token));
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

  // Cost: the texts of the documents with these definitions.
  Status ReadVisibility(std::vector<KnownDefinition>& definitions) const {
    std::map<std::string, CodeDocument> documents;
    for (KnownDefinition& known : definitions) {
      const std::string& path = known.row.doc.path;
      auto at = documents.find(path);
      if (at == documents.end()) {
        RECALL_ASSIGN(std::optional<DocRow> doc, texts_.FindDoc(path));
        if (!doc) continue;
        RECALL_ASSIGN(CodeDocument document, CodeDocument::Read(texts_, *std::move(doc)));
        at = documents.emplace(path, std::move(document)).first;
      }
      known.named.visibility =
          VisibilityOf(path, at->second.text(), at->second.LineBegin(known.row.start_line),
                       known.row.name, known.row.kind);
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

  Status FindCallees(const std::string& commit_token) {
    for (const KnownDefinition& caller : known_) {
      if (!caller.is_requested) continue;
      RECALL_ASSIGN(std::optional<DocRow> doc, texts_.FindDoc(caller.row.doc.path));
      if (!doc) continue;
      RECALL_ASSIGN(const CodeDocument document, CodeDocument::Read(texts_, *std::move(doc)));
      RECALL_TRY(AddCallees(document, caller.row, commit_token));
    }
    return Status::Ok();
  }

  // The names in the lines of `caller` that are called, each with its places.
  static std::map<std::string, std::vector<size_t>> CalledNames(const CodeDocument& document,
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
  static void DropDeclarations(std::vector<KnownDefinition>& candidates) {
    const auto lines = [](const KnownDefinition& known) {
      return known.row.end_line - known.row.start_line;
    };
    std::map<std::string, uint32_t> longest;  // by qualified name
    for (const KnownDefinition& known : candidates) {
      uint32_t& most = longest[QualifiedName(known.row)];
      most = std::max(most, lines(known));
    }
    std::erase_if(candidates, [&](const KnownDefinition& known) {
      return known.row.kind == "method" && lines(known) == 0 &&
             longest[QualifiedName(known.row)] > 0;
    });
  }

  Status AddCallees(const CodeDocument& document, const SymbolRow& caller,
                    const std::string& commit_token) {
    for (const auto& [name, places] : CalledNames(document, caller)) {
      RECALL_ASSIGN(std::vector<KnownDefinition> candidates, FindKnown(name, commit_token));
      DropDeclarations(candidates);
      if (candidates.size() > 1) RECALL_TRY(ReadVisibility(candidates));
      const std::vector<size_t> defining = document.Defining(name, places);
      for (const KnownDefinition& candidate : candidates) {
        AddCallee(document, candidate, candidates, places, defining);
      }
    }
    return Status::Ok();
  }

  // Adds a definition if there is no stronger evidence for another one at some place.
  void AddCallee(const CodeDocument& document, const KnownDefinition& callee,
                 const std::vector<KnownDefinition>& candidates, const std::vector<size_t>& places,
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
    if (row) response_.rows.push_back(*std::move(row));
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
