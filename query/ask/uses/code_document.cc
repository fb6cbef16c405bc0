#include "query/ask/uses/code_document.h"

#include <algorithm>
#include <set>
#include <utility>

#include "index/source/code/import_lines.h"
#include "query/ask/rows/views.h"
#include "query/types/grep_types.h"
#include "storage/base/trim.h"

namespace recall {

std::vector<std::string> ScopeNames(std::string_view scope) {
  std::vector<std::string> names;
  while (!scope.empty()) {
    const size_t end = std::min(scope.find(kScopeSeparator), scope.size());
    names.emplace_back(scope.substr(0, end));
    scope.remove_prefix(std::min(end + kScopeSeparator.size(), scope.size()));
  }
  return names;
}

Result<CodeDocument> CodeDocument::Read(const TextsAndFacts& texts, DocRow row) {
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

uint32_t CodeDocument::LineOf(size_t at) const {
  return static_cast<uint32_t>(std::ranges::upper_bound(lines_, at) - lines_.begin());
}

size_t CodeDocument::LineBegin(uint32_t line) const {
  if (line == 0) return 0;
  return line <= lines_.size() ? lines_[line - 1] : text_.size();
}

const Symbol* CodeDocument::Around(uint32_t line) const {
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

std::vector<size_t> CodeDocument::Defining(std::string_view name,
                                           const std::vector<size_t>& places) const {
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

NamePlace CodeDocument::PlaceAt(size_t begin, size_t end, const Symbol* around,
                                std::vector<std::string>* names) const {
  NamePlace place{doc_.path, text_, begin, end, imports_, {}};
  if (around != nullptr) {
    *names = ScopeNames(around->scope);
    names->push_back(around->name);
    place.scope.assign(names->begin(), names->end());
  }
  return place;
}

ReferenceRow CodeDocument::RowAt(size_t at) const {
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

SymbolRow CodeDocument::RowOf(const Symbol& symbol) const {
  return {MakeDocView(doc_), "", symbol.name, symbol.kind, symbol.scope, symbol.start_line,
          symbol.end_line};
}

}  // namespace recall
