#include "query/ask/uses/known_definition.h"

#include <map>
#include <utility>

#include "query/ask/answer/symbols.h"
#include "query/ask/uses/code_document.h"

namespace recall {

Result<SymbolsResponse> FindNamed(const Snapshot& snapshot, const std::string& name,
                                  const Scope& scope, const std::string& commit_token) {
  SymbolsRequest request{.name = name};
  request.scope.snapshot = scope.snapshot;
  return FindSymbols(snapshot, request, commit_token);
}

Result<std::vector<KnownDefinition>> FindKnown(const Snapshot& snapshot, const std::string& name,
                                               const Scope& scope,
                                               const std::string& commit_token) {
  RECALL_ASSIGN(SymbolsResponse all, FindNamed(snapshot, name, scope, commit_token));
  std::vector<KnownDefinition> known;
  for (SymbolRow& row : all.rows) {
    NamedDefinition named{row.doc.path, row.kind, ScopeNames(row.scope)};
    known.push_back({std::move(row), std::move(named), false});
  }
  return known;
}

Status ReadVisibility(const TextsAndFacts& texts, std::vector<KnownDefinition>& definitions) {
  std::map<std::string, CodeDocument> documents;
  for (KnownDefinition& known : definitions) {
    const std::string& path = known.row.doc.path;
    auto at = documents.find(path);
    if (at == documents.end()) {
      RECALL_ASSIGN(std::optional<DocRow> doc, texts.FindDoc(path));
      if (!doc) continue;
      RECALL_ASSIGN(CodeDocument document, CodeDocument::Read(texts, *std::move(doc)));
      at = documents.emplace(path, std::move(document)).first;
    }
    known.named.visibility =
        VisibilityOf(path, at->second.text(), at->second.LineBegin(known.row.start_line),
                     known.row.name, known.row.kind);
  }
  return Status::Ok();
}

}  // namespace recall
