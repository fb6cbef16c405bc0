// Makes a map of source code:
//
//   scope -> documents, definitions (MapSource) -> uses (CodeGraph) -> scores (RankDefinitions)
//         -> the best ones below the paths -> signatures -> a text within the budget (PackMap)
//
// The filter and the snapshot say what there is. The paths only say what is shown: a definition is
// as important as all its uses.
//
// Cost: one pass over the texts of code in the scope, by several threads; then the texts of the
// documents that are shown.

#include "query/ask/map/code_map.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "index/source/code/path_role.h"
#include "query/ask/answer/list.h"
#include "query/ask/answer/search.h"
#include "query/ask/answer/symbols.h"
#include "query/ask/map/definition_ranking.h"
#include "query/ask/map/graph_reader.h"
#include "query/ask/map/map_packer.h"
#include "query/ask/map/map_source.h"
#include "query/ask/map/question_fit.h"
#include "query/ask/map/signature.h"
#include "query/ask/rows/scope.h"
#include "query/ask/uses/code_document.h"

namespace recall {
namespace {

// The factor of a file's rank, by its role: what was written for other purposes than to be used
// comes behind all else.
double RoleFactorOf(std::string_view path, uint32_t asked_roles) {
  constexpr double kBehind = 0.05;
  constexpr double kStandsFor = 0.5;  // declarations, and code for other versions and systems
  const auto role = RoleOf(path);
  if (!role || ((asked_roles >> static_cast<unsigned>(*role)) & 1) != 0) return 1;
  return *role == PathRole::kDeclarations || *role == PathRole::kCompatible ? kStandsFor : kBehind;
}

class MapMaker final {
 public:
  MapMaker(const Snapshot& snapshot, const MapRequest& request, const std::string& store_root)
      : snapshot_(snapshot), texts_(snapshot.texts()), request_(request), store_root_(store_root) {}

  Result<MapResponse> Run(const std::string& commit_token) {
    if (request_.budget_tokens < 1) {
      return Fail(Status::InvalidArgument("the budget must be at least one token"));
    }
    RECALL_ASSIGN(TokenCounter counter, TokenCounter::Open(request_.token_counter));
    response_.budget_tokens = request_.budget_tokens;
    response_.token_counter = counter.name();
    RECALL_ASSIGN(const ResolvedScope scope, ResolveScope(snapshot_.filters(), request_.scope,
                                                          commit_token, FilterDomain::kChunks));
    RECALL_ASSIGN(shown_, ResolveShown(commit_token));
    ReportScope(scope, false, response_);
    RECALL_ASSIGN(const TextCandidates found, AllDocuments(scope));
    RECALL_ASSIGN(source_, ReadMapSource(texts_, found, scope.allowed()));
    RECALL_ASSIGN(CodeGraph graph, ReadGraph(texts_, source_, scope.allowed(), request_.threads));
    LeanTowards(graph);
    scores_ = RankDefinitions(graph);
    SelectShown();
    RECALL_TRY(Pack(counter));
    Warn();
    return std::move(response_);
  }

 private:
  Result<TextCandidates> AllDocuments(const ResolvedScope& scope) const {
    return ListTextCandidates(texts_, scope.allowed(), GramFilter::OfLiteral(""));
  }

  // The chunks of which definitions are shown: those of the scope that are below the paths.
  Result<ResolvedScope> ResolveShown(const std::string& commit_token) const {
    for (const bool ignore_case : {false, true}) {
      Scope scope = request_.scope;
      RECALL_ASSIGN(scope.filter,
                    FilterWithPaths(request_.paths, scope.filter, store_root_, ignore_case));
      RECALL_ASSIGN(ResolvedScope resolved,
                    ResolveScope(snapshot_.filters(), scope, commit_token, FilterDomain::kChunks));
      if (request_.paths.empty()) return resolved;
      RECALL_ASSIGN(const TextCandidates found, AllDocuments(resolved));
      if (found.scope_has_documents) return resolved;
      ListRequest named;
      named.paths = request_.paths;
      named.scope = request_.scope;
      if (ignore_case && !NamesDocuments(named)) return resolved;
    }
    return Fail(NoDocumentAt(request_.paths.front()));
  }

  void LeanTowards(CodeGraph& graph) {
    const uint32_t asked_roles = RolesAskedFor(request_.about);
    for (size_t i = 0; i < graph.files.size(); ++i) {
      graph.files[i].factor = RoleFactorOf(source_.documents[i].row.path, asked_roles);
    }
    QuestionFit fit(request_.about, source_.names);
    if (!fit.IsUseful()) return;
    for (size_t i = 0; i < graph.files.size(); ++i) {
      graph.files[i].fit = fit.OfPath(source_.documents[i].row.path);
    }
    std::vector<double> of_names;
    for (const std::string& name : source_.names) of_names.push_back(fit.OfName(name));
    for (CodeGraph::Definition& definition : graph.definitions) {
      definition.fit = of_names[definition.name];
    }
  }

  // Documents are ordered by path, and definitions by document and line.
  void SelectShown() {
    for (uint32_t i = 0; i < source_.definitions.size(); ++i) {
      const Bitmap* const allowed = shown_.allowed();
      if (allowed == nullptr || allowed->Contains(source_.definitions[i].chunk)) {
        by_rank_.push_back(i);
      }
    }
    std::ranges::sort(by_rank_, [&](uint32_t a, uint32_t b) {
      return std::pair(-scores_[a], a) < std::pair(-scores_[b], b);
    });
    response_.total_hits = static_cast<int64_t>(by_rank_.size());
    response_.documents = static_cast<int64_t>(source_.documents.size());
  }

  Result<const CodeDocument*> ReadDocument(uint32_t document) {
    auto at = read_.find(document);
    if (at == read_.end()) {
      RECALL_ASSIGN(CodeDocument read, CodeDocument::Read(texts_, source_.documents[document].row));
      at = read_.emplace(document, std::move(read)).first;
    }
    return &at->second;
  }

  Result<std::vector<SignatureLine>> ReadSignature(const MapSource::Definition& definition) {
    RECALL_ASSIGN(const CodeDocument* const document, ReadDocument(definition.document));
    const size_t begin = document->LineBegin(definition.symbol.start_line);
    const size_t end = std::max(begin, document->LineEnd(definition.symbol.end_line));
    const std::string_view text = document->text();
    return SignatureOf(document->doc().path, text.substr(begin, end - begin), definition.symbol);
  }

  // The signature, and the first lines of those of the definitions around it.
  Result<MapEntry> ReadEntry(size_t rank) {
    const MapSource::Definition& definition = source_.definitions[by_rank_[rank]];
    MapEntry entry{definition.document, {}};
    RECALL_ASSIGN(entry.lines, ReadSignature(definition));
    MapRow& row = rows_.emplace_back();
    row.symbol = read_.at(definition.document).RowOf(definition.symbol);
    row.score = scores_[by_rank_[rank]];
    for (const SignatureLine& line : entry.lines) {
      if (row.first_line == 0) row.first_line = line.number;
      row.signature += (row.signature.empty() ? "" : "\n") + line.text;
    }
    for (auto around = definition.parent; around; around = source_.definitions[*around].parent) {
      RECALL_ASSIGN(const auto lines, ReadSignature(source_.definitions[*around]));
      if (!lines.empty()) entry.lines.insert(entry.lines.begin(), lines.front());
    }
    return entry;
  }

  Status Pack(TokenCounter& counter) {
    RECALL_ASSIGN(PackedMap packed,
                  PackMap(
                      by_rank_.size(), [&](size_t rank) { return ReadEntry(rank); },
                      [&](uint32_t document) { return source_.documents[document].row.path; },
                      counter, request_.budget_tokens));
    response_.text = std::move(packed.text);
    response_.used_tokens = packed.used_tokens;
    for (const size_t rank : packed.ranks) response_.rows.push_back(std::move(rows_[rank]));
    return Status::Ok();
  }

  void Warn() {
    if (source_.documents.empty()) {
      response_.warnings.push_back("no source code to make a map of");
    } else if (by_rank_.empty()) {
      response_.warnings.push_back("no definition to show; " + NoDefinitionsNote());
    } else if (response_.rows.empty()) {
      response_.warnings.push_back("no definition fits into " +
                                   std::to_string(request_.budget_tokens) + " tokens");
    }
  }

  const Snapshot& snapshot_;
  const TextsAndFacts& texts_;
  const MapRequest& request_;
  const std::string& store_root_;
  ResolvedScope shown_;
  MapSource source_;
  std::vector<double> scores_;             // by definition
  std::vector<uint32_t> by_rank_;          // the definitions that may be shown, best first
  std::map<uint32_t, CodeDocument> read_;  // of definitions that were looked at
  std::vector<MapRow> rows_;               // likewise, by rank
  MapResponse response_;
};

}  // namespace

Result<MapResponse> MakeMap(const Snapshot& snapshot, const MapRequest& request,
                            const std::string& store_root, const std::string& commit_token) {
  return MapMaker(snapshot, request, store_root).Run(commit_token);
}

}  // namespace recall
