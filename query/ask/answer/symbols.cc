// Finds definitions of source code by name.
//
// The name is split as stored names are (SplitQualifiedName): "db::Store::Commit" asks for the name
// "Commit" in a scope that ends with "db", "Store". The index on names has the name, or the range
// of names that begin as the pattern does. Scope, kind, filter and commit are tested on what it
// gives; of what passes, the chunk and the document are read, because the order needs the path.
//
// Definitions outside of their class have the scope that their name is qualified with, so
// `Store::Commit` in a file and `Commit` in the body of `Store` are found alike.
//
// Cost: in proportion to the definitions with such names in the whole store. A pattern without a
// literal beginning reads all, or, if the filter selects few chunks, those of these chunks: so the
// definitions of one document ('*') cost no more in a large store.

#include "query/ask/answer/symbols.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "index/base/glob/glob.h"
#include "index/search/bitmap/bitmap.h"
#include "index/source/code/code_grammar.h"
#include "index/source/code/grammar_notes.h"
#include "query/ask/answer/search.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/views.h"

namespace recall {
namespace {

// Of so many chunks the definitions are read one chunk after the other.
constexpr uint64_t kFewChunks = 1000;

// A name, or a pattern with * and ?.
class NamePattern final {
 public:
  static Result<NamePattern> Make(std::string_view text) {
    NamePattern pattern{std::string(text)};
    if (text.find_first_of("*?") == std::string_view::npos) return pattern;
    std::string like;
    for (const char c : text) {
      if (c == '%' || c == '_' || c == '\\') like += '\\';
      like += c == '*' ? '%' : c == '?' ? '_' : c;
    }
    RECALL_ASSIGN(pattern.glob_, Glob::Compile(like, GlobDialect::kLike));
    return pattern;
  }

  const std::string& text() const { return text_; }
  bool Matches(std::string_view name) const { return glob_ ? glob_->Matches(name) : name == text_; }
  // Contains every name that matches.
  SymbolNameRange Range() const {
    if (!glob_) return ExactSymbolName(text_);
    SymbolNameRange range{glob_->prefix(), std::nullopt};
    // The smallest name behind all with this prefix.
    std::string high = range.low;
    while (!high.empty() && static_cast<unsigned char>(high.back()) == 0xFF) high.pop_back();
    if (high.empty()) return range;
    high.back() = static_cast<char>(static_cast<unsigned char>(high.back()) + 1);
    range.high = std::move(high);
    return range;
  }

 private:
  explicit NamePattern(std::string text) : text_(std::move(text)) {}

  std::string text_;
  std::optional<Glob> glob_;
};

// "Map<K, V>" is also called "Map".
std::string_view WithoutArguments(std::string_view name) {
  const size_t open = name.find('<');
  return open == 0 || open == std::string_view::npos ? name : name.substr(0, open);
}

// The live chunks in the scope.
Result<Bitmap> ChunksInScope(const Snapshot& snapshot, const ResolvedScope& scope) {
  if (scope.set) return *scope.set;
  Bitmap live;
  RECALL_TRY(snapshot.texts().ScanLiveChunks([&](RowSpan span) {
    if (span.count > 0) live.AddRange(span.first, span.first + (span.count - 1));
  }));
  return live;
}

class SymbolSearch final {
 public:
  SymbolSearch(const Snapshot& snapshot, const SymbolsRequest& request)
      : snapshot_(snapshot), request_(request) {}

  Result<SymbolsResponse> Run(const std::string& commit_token) {
    RECALL_TRY(ParseName());
    RECALL_ASSIGN(const ResolvedScope scope, ResolveScope(snapshot_.filters(), request_.scope,
                                                          commit_token, FilterDomain::kChunks));
    ReportScope(scope, false, response_);
    RECALL_ASSIGN(chunks_, ChunksInScope(snapshot_, scope));
    RECALL_TRY(FindWanted());
    RECALL_TRY(ReadDocs());
    SortAndCut();
    MakeRows();
    if (response_.total_hits == 0) {
      response_.warnings.push_back("no definition of " + request_.name + "; " +
                                   NoDefinitionsNote());
    }
    return std::move(response_);
  }

 private:
  struct Found {
    uint32_t chunk;
    Symbol symbol;
    const DocRow* doc;
  };

  Status ParseName() {
    for (const std::string_view part : SplitQualifiedName(request_.name)) {
      RECALL_ASSIGN(NamePattern pattern, NamePattern::Make(part));
      names_.push_back(std::move(pattern));
    }
    if (!names_.empty()) return Status::Ok();
    return Status::InvalidArgument("the name of the definition is empty",
                                   "name one, or use a pattern such as 'Commit*'");
  }

  Status FindWanted() {
    const SymbolNameRange range = names_.back().Range();
    const SymbolVisitor take = [this](uint32_t chunk, Symbol&& symbol) {
      if (IsWanted(chunk, symbol)) found_.push_back({chunk, std::move(symbol), nullptr});
    };
    const bool has_all_names = range.low.empty() && !range.high;
    if (!has_all_names || chunks_.Count() > kFewChunks) {
      return snapshot_.texts().FindSymbols(range, take);
    }
    for (const uint32_t chunk : chunks_.Values()) {
      RECALL_TRY(snapshot_.texts().ScanSymbols(chunk, take));
    }
    return Status::Ok();
  }

  bool IsWanted(uint32_t chunk, const Symbol& symbol) const {
    return symbol.begins && names_.back().Matches(symbol.name) && IsInScopeOfName(symbol.scope) &&
           (!request_.kind || *request_.kind == symbol.kind) && chunks_.Contains(chunk);
  }

  // Whether the scope ends with the names before the last.
  bool IsInScopeOfName(std::string_view scope) const {
    const size_t wanted = names_.size() - 1;
    if (wanted == 0) return true;
    const std::vector<std::string_view> parts = SplitQualifiedName(scope);
    if (parts.size() < wanted) return false;
    for (size_t i = 0; i < wanted; ++i) {
      const std::string_view part = parts[parts.size() - wanted + i];
      if (!names_[i].Matches(part) && !names_[i].Matches(WithoutArguments(part))) return false;
    }
    return true;
  }

  Status ReadDocs() {
    std::vector<uint32_t> rows;
    for (const Found& found : found_) rows.push_back(found.chunk);
    std::ranges::sort(rows);
    const auto repeated = std::ranges::unique(rows);
    rows.erase(repeated.begin(), repeated.end());
    RECALL_ASSIGN(std::vector<ChunkRow> chunks, snapshot_.texts().ReadChunks(rows));
    for (ChunkRow& chunk : chunks) {
      if (!docs_.contains(chunk.doc_row)) {
        RECALL_ASSIGN(docs_[chunk.doc_row], snapshot_.texts().ReadDoc(chunk.doc_row));
      }
      chunk_rows_.emplace(chunk.row, std::move(chunk));
    }
    for (Found& found : found_) found.doc = &docs_.at(chunk_rows_.at(found.chunk).doc_row);
    return Status::Ok();
  }

  void SortAndCut() {
    const std::string& exact = names_.back().text();
    const auto key = [&](const Found& found) {
      const Symbol& symbol = found.symbol;
      return std::tuple(symbol.name != exact, std::string_view(found.doc->path), symbol.start_line,
                        symbol.end_line, std::string_view(symbol.scope),
                        std::string_view(symbol.name), std::string_view(symbol.kind));
    };
    // Windows of text may overlap: of the chunks in which a definition begins, the first shows it.
    std::ranges::sort(found_, [&](const Found& a, const Found& b) {
      return std::tuple(key(a), a.chunk) < std::tuple(key(b), b.chunk);
    });
    const auto repeated = std::ranges::unique(
        found_, [&](const Found& a, const Found& b) { return key(a) == key(b); });
    found_.erase(repeated.begin(), repeated.end());
    response_.total_hits = static_cast<int64_t>(found_.size());
    const size_t first = std::min(request_.offset, found_.size());
    const size_t count = std::min(request_.limit.value_or(found_.size()), found_.size() - first);
    if (count > 0 && first + count < found_.size()) {
      response_.next_offset = static_cast<int64_t>(first + count);
    }
    found_.erase(found_.begin() + static_cast<ptrdiff_t>(first + count), found_.end());
    found_.erase(found_.begin(), found_.begin() + static_cast<ptrdiff_t>(first));
  }

  void MakeRows() {
    for (Found& found : found_) {
      SymbolRow& row = response_.rows.emplace_back();
      row.doc = MakeDocView(*found.doc);
      row.chunk_id = MakeChunkView(*found.doc, chunk_rows_.at(found.chunk)).id;
      row.name = std::move(found.symbol.name);
      row.kind = std::move(found.symbol.kind);
      row.scope = std::move(found.symbol.scope);
      row.start_line = found.symbol.start_line;
      row.end_line = found.symbol.end_line;
    }
  }

  const Snapshot& snapshot_;
  const SymbolsRequest& request_;
  std::vector<NamePattern> names_;  // the qualifiers, then the name
  Bitmap chunks_;
  std::vector<Found> found_;
  std::map<int64_t, DocRow> docs_;
  std::map<uint32_t, ChunkRow> chunk_rows_;
  SymbolsResponse response_;
};

}  // namespace

std::string QualifiedName(const SymbolRow& symbol) {
  if (symbol.scope.empty()) return symbol.name;
  return symbol.scope + std::string(kScopeSeparator) + symbol.name;
}

std::string NoDefinitionsNote() {
  const size_t grammars = GrammarNames().size();
  if (grammars == 0) {
    return WithoutGrammarsNote({}, grammars) + ": what it adds has no definitions";
  }
  return "source code that was added without a grammar has none: `recall add --rechunk`";
}

Result<SymbolsResponse> FindSymbols(const Snapshot& snapshot, const SymbolsRequest& request,
                                    const std::string& commit_token) {
  return SymbolSearch(snapshot, request).Run(commit_token);
}

}  // namespace recall
