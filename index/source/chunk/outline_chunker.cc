// The problem: a chunk of source code should be a whole definition with its comment, so that what a
// search finds can be understood. Definitions are as small as a line and as large as a file.
//
// The idea: the outline of a file (code_outline.h) is a tree of definitions. It divides the lines
// into blocks that are not cut: definitions that fit, and the gaps between definitions (imports,
// fields, the head of a class). A definition that is too large is divided at its own members, or
// where its statements begin, those of the least depth first. Neighbouring blocks share a chunk
// while they fit:
//
//   class Store:              gap in Store: its head   } one chunk, "Store > open, commit"
//       size = 0                                       }
//       def open(self): ...                            }
//       def commit(self):                              }
//           ...
//       def vacuum(self):     too large: cut where statements begin, "Store > vacuum" each
//           ...
//
// So chunks are as large as those of other texts, but no definition that fits is cut. The heading
// is the scope that the blocks share and the names of what is in it.
//
// Invariants: those of all chunks (chunk_span.h), whatever the outline says: its definitions only
// choose between lines. Cost: linear in the text, times the depth of the outline, which is bounded.

#include "index/source/chunk/outline_chunker.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "index/source/chunk/line_reader.h"
#include "index/source/chunk/window_cutter.h"

namespace recall {
namespace {

// Definitions nested deeper are not divided from those around them.
constexpr int kMaxScopes = 16;
// A heading of several definitions has at most this number of bytes of their names.
constexpr size_t kMaxNamesBytes = 200;
// The scope of a symbol is cut at this size: a hostile file has scopes as deep as it is long.
constexpr size_t kMaxScopeBytes = 1000;
// Cuts within cuts; deeper ones are left to the windows.
constexpr int kMaxCutLevels = 24;

// "Store > Inner > Commit" for the scope "Store" and the name "Inner::Commit".
std::string JoinQualifiedName(std::string_view scope, std::string_view name) {
  std::string joined(scope);
  for (const std::string_view part : SplitQualifiedName(name)) {
    if (!joined.empty()) joined += kScopeSeparator;
    joined += part;
  }
  return joined;
}

struct Lines {  // first .. last; none if last < first
  size_t first = 0;
  size_t last = 0;
};

// A part of the text that is never cut, or whose parts are windows.
struct CodeBlock {
  TextRange range;
  std::string scope;               // "Store": what encloses it
  std::vector<std::string> names;  // of the definitions in it; of a gap: none
};

// Divides a text into blocks.
class BlockDivider final {
 public:
  BlockDivider(std::string_view text, const CodeOutline& outline, const ChunkLimits& limits)
      : outline_(outline), limits_(limits) {
    LineReader reader(text, limits);
    for (Line line; reader.Next(&line);) {
      lines_.push_back(line.range);
      starts_.push_back(line.start);
    }
    ArrangeChildren();
  }

  std::vector<CodeBlock> Run() {
    if (!lines_.empty()) DivideScope({0, lines_.size() - 1}, children_.front(), "", 0);
    return std::move(blocks_);
  }

 private:
  // children_[0] are the definitions at the top, children_[i + 1] those in definition i.
  void ArrangeChildren() {
    children_.resize(outline_.definitions.size() + 1);
    for (size_t i = 0; i < outline_.definitions.size(); ++i) {
      children_[static_cast<size_t>(outline_.definitions[i].parent + 1)].push_back(
          static_cast<int32_t>(i));
    }
  }

  size_t LineAt(uint64_t byte) const {
    const auto after = std::ranges::upper_bound(starts_, byte);
    return static_cast<size_t>(after - starts_.begin()) - (after == starts_.begin() ? 0 : 1);
  }

  // Sets *range to that of the lines, without blank ones at both ends. False if all are blank.
  bool RangeOf(Lines lines, TextRange* range) const {
    while (lines.first <= lines.last && lines_[lines.first].tokens == 0) ++lines.first;
    if (lines.first > lines.last) return false;
    while (lines_[lines.last].tokens == 0) --lines.last;
    *range = Join(lines_[lines.first], lines_[lines.last]);
    return true;
  }

  // Divides the lines of a scope at its members, and what is too large of these further.
  void DivideScope(Lines scope, const std::vector<int32_t>& members, const std::string& heading,
                   int depth) {
    size_t next = scope.first;  // the first line that is in no block yet
    const auto lines_to = [&](size_t end) {
      const Lines lines{next, end - 1};
      next = end;
      return lines;
    };
    for (const int32_t member : members) {
      const Definition& definition = outline_.definitions[static_cast<size_t>(member)];
      const size_t begin = std::min(LineAt(definition.start_byte), scope.last + 1);
      if (begin > next) DividePieces(lines_to(begin), {{}, heading, {}}, 0);
      const size_t end = std::min(LineAt(definition.end_byte - 1), scope.last) + 1;
      if (end > next) DivideDefinition(lines_to(end), member, heading, depth);
    }
    if (next <= scope.last) DividePieces(lines_to(scope.last + 1), {{}, heading, {}}, 0);
  }

  void DivideDefinition(Lines lines, int32_t definition, const std::string& scope, int depth) {
    const std::string& name = outline_.definitions[static_cast<size_t>(definition)].name;
    const auto& members = children_[static_cast<size_t>(definition) + 1];
    TextRange range;
    if (!RangeOf(lines, &range)) return;
    if (!Fits(range, limits_) && !members.empty() && depth < kMaxScopes) {
      DivideScope(lines, members, JoinQualifiedName(scope, name), depth + 1);
    } else {
      auto parts = SplitQualifiedName(name);
      std::string within = scope;
      for (; parts.size() > 1; parts.erase(parts.begin())) {
        within = JoinQualifiedName(within, parts.front());
      }
      DividePieces(lines, {{}, std::move(within), {std::string(parts.front())}}, 0);
    }
  }

  // Divides lines that are too large for a chunk at the cuts of the least depth.
  void DividePieces(Lines lines, CodeBlock block, int level) {
    if (!RangeOf(lines, &block.range)) return;
    const std::span<const CodeCut> cuts = CutsIn(lines);
    if (Fits(block.range, limits_) || cuts.empty() || level == kMaxCutLevels) {
      blocks_.push_back(std::move(block));
      return;
    }
    const uint32_t depth = std::ranges::min(cuts, {}, &CodeCut::depth).depth;
    Lines piece{lines.first, lines.first};
    for (const CodeCut& cut : cuts) {
      if (cut.depth != depth) continue;
      piece.last = LineAt(cut.byte) - 1;
      if (piece.last >= piece.first) DividePieces(piece, block, level + 1);
      piece.first = piece.last + 1;
    }
    piece.last = lines.last;
    DividePieces(piece, block, level + 1);
  }

  // Cuts at lines behind the first one.
  std::span<const CodeCut> CutsIn(Lines lines) const {
    if (lines.first == lines.last) return {};
    const auto begin =
        std::ranges::lower_bound(outline_.cuts, starts_[lines.first + 1], {}, &CodeCut::byte);
    const uint64_t end_byte =
        lines.last + 1 < starts_.size() ? starts_[lines.last + 1] : UINT64_MAX;
    const auto end = std::ranges::lower_bound(outline_.cuts, end_byte, {}, &CodeCut::byte);
    return {begin, end};
  }

  const CodeOutline& outline_;
  const ChunkLimits& limits_;
  std::vector<TextRange> lines_;  // without tokens: blank
  std::vector<uint64_t> starts_;  // the first byte of each line
  std::vector<std::vector<int32_t>> children_;
  std::vector<CodeBlock> blocks_;
};

std::vector<std::string_view> NamesOfScope(std::string_view scope) {
  std::vector<std::string_view> names;
  while (!scope.empty()) {
    const size_t end = std::min(scope.find(kScopeSeparator), scope.size());
    names.push_back(scope.substr(0, end));
    scope.remove_prefix(std::min(end + kScopeSeparator.size(), scope.size()));
  }
  return names;
}

// Moves a block into a scope that encloses its own: its definitions become the one they are in.
void WidenScope(const std::string& scope, CodeBlock* block) {
  if (block->scope.size() == scope.size()) return;
  const auto names = NamesOfScope(block->scope);
  const size_t outer = NamesOfScope(scope).size();
  block->names.clear();
  // A name that itself ends with a separator has no name behind it.
  if (outer < names.size()) block->names.emplace_back(names[outer]);
  block->scope = scope;
}

// "Store" for "Store > Log" and "Store > Map > Node".
std::string CommonScope(std::string_view a, std::string_view b) {
  const auto names_a = NamesOfScope(a);
  const auto names_b = NamesOfScope(b);
  std::string common;
  for (size_t i = 0; i < std::min(names_a.size(), names_b.size()); ++i) {
    if (names_a[i] != names_b[i]) break;
    if (i > 0) common += kScopeSeparator;
    common += names_a[i];
  }
  return common;
}

// "Store > Commit, Vacuum"; "Store" for a gap.
std::string HeadingOf(const CodeBlock& block) {
  std::string heading = block.scope;
  size_t size = 0;
  for (const std::string& name : block.names) {
    if (size > 0 && size + name.size() > kMaxNamesBytes) break;
    if (size > 0) {
      heading += ", ";
    } else if (!heading.empty()) {
      heading += kScopeSeparator;
    }
    heading += name;
    size += name.size();
  }
  return heading;
}

// Joins blocks to chunks.
class BlockJoiner final {
 public:
  BlockJoiner(std::string_view text, const ChunkLimits& limits, std::vector<ChunkSpan>* chunks)
      : text_(text), limits_(limits), chunks_(chunks) {}

  void Add(CodeBlock block) {
    if (open_) {
      const TextRange joined = Join(open_->range, block.range);
      // What is too large takes along the few lines before it.
      const bool takes_along = !Fits(block.range, limits_) && IsFew(open_->range);
      if (Fits(joined, limits_) || takes_along) {
        block = JoinBlocks(*std::move(open_), std::move(block));
        open_.reset();
      } else {
        Finish();
      }
    }
    if (!Fits(block.range, limits_)) {
      block.range = CutWindows(text_, block.range, limits_, [&](const TextRange& range) {
        chunks_->push_back(MakeChunkSpan(range, HeadingOf(block)));
      });
    }
    open_ = std::move(block);
  }

  void Finish() {
    if (open_) chunks_->push_back(MakeChunkSpan(open_->range, HeadingOf(*open_)));
    open_.reset();
  }

 private:
  bool IsFew(const TextRange& range) const { return range.tokens * 4 < limits_.tokens; }

  static CodeBlock JoinBlocks(CodeBlock a, CodeBlock b) {
    const std::string common = CommonScope(a.scope, b.scope);
    WidenScope(common, &a);
    WidenScope(common, &b);
    a.range = Join(a.range, b.range);
    for (std::string& name : b.names) {
      if (a.names.empty() || a.names.back() != name) a.names.push_back(std::move(name));
    }
    return a;
  }

  std::string_view text_;
  const ChunkLimits& limits_;
  std::vector<ChunkSpan>* chunks_;
  std::optional<CodeBlock> open_;  // the chunk that is being filled
};

// Finds the symbols of chunks in one pass over the definitions and one over the chunks.
class SymbolAssigner final {
 public:
  SymbolAssigner(std::string_view text, const CodeOutline& outline)
      : definitions_(outline.definitions) {
    line_starts_.push_back(0);
    for (size_t i = text.find('\n'); i != text.npos; i = text.find('\n', i + 1)) {
      line_starts_.push_back(i + 1);
    }
    for (const Definition& definition : definitions_) {
      symbols_.push_back(MakeSymbol(definition));
    }
  }

  void Assign(std::vector<ChunkSpan>* chunks) {
    for (size_t i = 0; i < definitions_.size(); ++i) {
      if (definitions_[i].extends) continue;
      // Chunks ascend by their ends, too; the definition begins in the first that reaches it.
      const auto chunk =
          std::ranges::upper_bound(*chunks, definitions_[i].code_byte, {}, &ChunkSpan::end_byte);
      if (chunk != chunks->end()) chunk->symbols.push_back(symbols_[i]);
    }
    std::vector<size_t> enclosing;  // outermost first, of the current chunk's first byte
    size_t next = 0;
    for (ChunkSpan& chunk : *chunks) {
      for (; next < definitions_.size() && definitions_[next].start_byte <= chunk.start_byte;
           ++next) {
        LeaveBefore(definitions_[next].start_byte, &enclosing);
        enclosing.push_back(next);
      }
      LeaveBefore(chunk.start_byte, &enclosing);
      if (!chunk.symbols.empty() || enclosing.empty()) continue;
      if (definitions_[enclosing.back()].extends) continue;
      chunk.symbols.push_back(symbols_[enclosing.back()]);
      chunk.symbols.back().begins = false;
    }
  }

 private:
  // Removes the definitions that end at or before `byte`.
  void LeaveBefore(uint64_t byte, std::vector<size_t>* enclosing) const {
    while (!enclosing->empty() && definitions_[enclosing->back()].end_byte <= byte) {
      enclosing->pop_back();
    }
  }

  uint32_t LineOf(uint64_t byte) const {
    const auto after = std::ranges::upper_bound(line_starts_, byte);
    return static_cast<uint32_t>(after - line_starts_.begin());
  }

  static void AddToScope(std::string_view name, std::string* scope) {
    if (scope->size() < kMaxScopeBytes) *scope = JoinQualifiedName(*scope, name);
  }

  Symbol MakeSymbol(const Definition& definition) const {
    Symbol symbol;
    if (definition.parent >= 0) {
      const Symbol& parent = symbols_[static_cast<size_t>(definition.parent)];
      symbol.scope = parent.scope;
      AddToScope(parent.name, &symbol.scope);
    }
    symbol.name = definition.name;
    symbol.kind = SymbolKindName(definition.kind);
    symbol.start_line = LineOf(definition.code_byte);
    symbol.end_line = LineOf(definition.end_byte - 1);
    return WithSimpleName(std::move(symbol));
  }

  const std::vector<Definition>& definitions_;
  std::vector<uint64_t> line_starts_;
  std::vector<Symbol> symbols_;  // of each definition
};

}  // namespace

std::vector<ChunkSpan> CutAtDefinitions(std::string_view text, const CodeOutline& outline,
                                        const ChunkLimits& limits) {
  std::vector<ChunkSpan> chunks;
  BlockJoiner joiner(text, limits, &chunks);
  for (CodeBlock& block : BlockDivider(text, outline, limits).Run()) joiner.Add(std::move(block));
  joiner.Finish();
  SymbolAssigner(text, outline).Assign(&chunks);
  return chunks;
}

}  // namespace recall
