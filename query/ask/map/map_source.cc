#include "query/ask/map/map_source.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "query/ask/rows/views.h"

namespace recall {
namespace {

// "Map<K, V>" is the scope of what "Map" declares.
std::string_view LastOfScope(std::string_view scope) {
  const size_t last = scope.rfind(kScopeSeparator);
  if (last != scope.npos) scope.remove_prefix(last + kScopeSeparator.size());
  const size_t open = scope.find('<');
  return open == 0 || open == scope.npos ? scope : scope.substr(0, open);
}

class MapSourceReader final {
 public:
  MapSourceReader(const TextsAndFacts& texts, const Bitmap* scope) : texts_(texts), scope_(scope) {}

  Result<MapSource> Read(const TextCandidates& found) {
    for (const TextCandidate& candidate : found.documents) {
      RECALL_ASSIGN(DocRow row, texts_.ReadDoc(candidate.doc_row));
      if (IsSourceCode(row)) source_.documents.push_back({std::move(row), candidate});
    }
    IndexChunks();
    RECALL_TRY(texts_.FindSymbols({}, [&](uint32_t chunk, Symbol&& symbol) {
      if (symbol.begins) Add(chunk, std::move(symbol));
    }));
    Sort();
    FindParents();
    DropDefinedOutside();
    NameAll();
    return std::move(source_);
  }

 private:
  using Definition = MapSource::Definition;

  void IndexChunks() {
    for (uint32_t i = 0; i < source_.documents.size(); ++i) by_chunk_.push_back(i);
    std::ranges::sort(by_chunk_, {},
                      [&](uint32_t i) { return source_.documents[i].row.first_chunk; });
  }

  void Add(uint32_t chunk, Symbol&& symbol) {
    if (scope_ != nullptr && !scope_->Contains(chunk)) return;
    const auto behind = std::ranges::upper_bound(
        by_chunk_, chunk, {}, [&](uint32_t i) { return source_.documents[i].row.first_chunk; });
    if (behind == by_chunk_.begin()) return;
    const uint32_t document = *(behind - 1);
    const DocRow& row = source_.documents[document].row;
    if (chunk - row.first_chunk >= row.chunk_count) return;
    Definition& added = source_.definitions.emplace_back();
    added.document = document;
    added.chunk = chunk;
    added.symbol = std::move(symbol);
  }

  // Windows of text may overlap: of the chunks in which a definition begins, the first has it.
  void Sort() {
    const auto key = [](const Definition& definition) {
      const Symbol& symbol = definition.symbol;
      return std::tuple(definition.document, symbol.start_line, UINT32_MAX - symbol.end_line,
                        std::string_view(symbol.scope), std::string_view(symbol.name),
                        std::string_view(symbol.kind));
    };
    auto& all = source_.definitions;
    std::ranges::sort(all, [&](const Definition& a, const Definition& b) {
      return std::tuple(key(a), a.chunk) < std::tuple(key(b), b.chunk);
    });
    const auto repeated = std::ranges::unique(
        all, [&](const Definition& a, const Definition& b) { return key(a) == key(b); });
    all.erase(repeated.begin(), repeated.end());
  }

  static bool IsWithin(const Definition& inner, const Definition& outer) {
    return inner.document == outer.document && inner.symbol.end_line <= outer.symbol.end_line &&
           outer.symbol.end_line > outer.symbol.start_line;
  }

  void FindParents() {
    std::vector<uint32_t> open;  // the definitions around the present one
    auto& all = source_.definitions;
    for (uint32_t i = 0; i < all.size(); ++i) {
      while (!open.empty() && !IsWithin(all[i], all[open.back()])) open.pop_back();
      if (!open.empty()) all[i].parent = open.back();
      const std::string_view around = LastOfScope(all[i].symbol.scope);
      all[i].is_constructor = !around.empty() && around == all[i].symbol.name;
      open.push_back(i);
    }
  }

  // Whether a definition around it has the name of its class.
  bool IsInItsClass(const Definition& member) const {
    const std::string_view wanted = LastOfScope(member.symbol.scope);
    for (auto around = member.parent; around; around = source_.definitions[*around].parent) {
      if (LastOfScope(source_.definitions[*around].symbol.name) == wanted) return true;
    }
    return false;
  }

  void DropDefinedOutside() {
    auto& all = source_.definitions;
    const auto member = [](const Definition& definition) {
      return std::string(LastOfScope(definition.symbol.scope)) + "\n" + definition.symbol.name;
    };
    std::unordered_set<std::string> declared;
    std::vector<bool> is_inside(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      is_inside[i] = all[i].symbol.kind != "method" || IsInItsClass(all[i]);
      if (is_inside[i] && all[i].symbol.kind == "method") declared.insert(member(all[i]));
    }
    std::vector<uint32_t> moved(all.size());  // to which index
    std::vector<bool> is_kept(all.size());
    uint32_t count = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      moved[i] = count;
      is_kept[i] =
          all[i].symbol.kind != "namespace" && (is_inside[i] || !declared.contains(member(all[i])));
      if (is_kept[i]) ++count;
    }
    for (size_t i = 0; i < all.size(); ++i) {
      auto& parent = all[i].parent;
      while (parent && !is_kept[*parent]) parent = all[*parent].parent;
    }
    std::vector<Definition> kept;
    kept.reserve(count);
    for (size_t i = 0; i < all.size(); ++i) {
      if (!is_kept[i]) continue;
      if (all[i].parent) all[i].parent = moved[*all[i].parent];
      kept.push_back(std::move(all[i]));
    }
    all = std::move(kept);
  }

  // By document and line, so the numbers of names do not depend on the order of a hash table.
  void NameAll() {
    std::unordered_map<std::string, uint32_t> numbers;
    for (Definition& definition : source_.definitions) {
      const auto next = static_cast<uint32_t>(source_.names.size());
      const auto [at, is_new] = numbers.emplace(definition.symbol.name, next);
      if (is_new) source_.names.push_back(definition.symbol.name);
      definition.name = at->second;
    }
    source_.first_definition.assign(source_.documents.size() + 1, 0);
    for (const Definition& definition : source_.definitions) {
      ++source_.first_definition[definition.document + 1];
    }
    for (size_t i = 1; i < source_.first_definition.size(); ++i) {
      source_.first_definition[i] += source_.first_definition[i - 1];
    }
  }

  const TextsAndFacts& texts_;
  const Bitmap* const scope_;
  std::vector<uint32_t> by_chunk_;  // documents by their first chunk
  MapSource source_;
};

}  // namespace

Result<MapSource> ReadMapSource(const TextsAndFacts& texts, const TextCandidates& found,
                                const Bitmap* scope) {
  return MapSourceReader(texts, scope).Read(found);
}

}  // namespace recall
