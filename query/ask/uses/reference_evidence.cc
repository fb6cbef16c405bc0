// The problem: syntax alone does not know which of several definitions a name means.
//
// The idea: what programmers write around a name says much. `Store::Commit(` and `self.commit(`
// name or imply the scope; `store_.Commit(` has a variable that is called like the class;
// `clock.now(` has the name of a module that the file imports. Each definition gets the strongest
// evidence that speaks for it; the caller prefers those with the strongest.
//
// Cost: a few dozen bytes around the place.

#include "query/ask/uses/reference_evidence.h"

#include <algorithm>

#include "index/base/text/code_name.h"
#include "index/source/code/imported_names.h"
#include "query/ask/uses/code_paths.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

// Whether ".ext" of the path is one of `extensions`: " .c .h ".
bool HasExtension(std::string_view path, std::string_view extensions) {
  const size_t dot = path.rfind('.');
  if (dot == path.npos) return false;
  return extensions.find(" " + std::string(path.substr(dot)) + " ") != extensions.npos;
}

constexpr std::string_view kCFamily =
    " .c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .inl .ipp .tpp .cu .cuh ";
constexpr std::string_view kHeaders = " .h .hh .hpp .hxx .h++ .inl .ipp .tpp .cuh ";
constexpr std::string_view kModules = " .js .cjs .mjs .jsx .ts .cts .mts .tsx ";
constexpr std::string_view kCallsWithoutParentheses =
    " .rb .rake .ex .exs .hs .sh .bash .lua .scala ";

std::string_view StemOfPath(std::string_view path) {
  path.remove_prefix(path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1);
  return path.substr(0, path.find('.'));
}

bool HasName(std::string_view text, std::string_view name) {
  return FindCodeName(text, name) != text.npos;
}

// Whether some line of a module exports the name.
bool IsExported(std::string_view text, std::string_view name) {
  for (size_t at = text.find("export"); at != text.npos; at = text.find("export", at + 1)) {
    // "export { a, b }" may have several lines.
    const size_t brace = text.find_first_of("{;=\n", at);
    const bool has_list = brace != text.npos && text[brace] == '{';
    const size_t end = has_list ? text.find('}', brace) : text.find('\n', at);
    if (HasName(text.substr(at, std::min(end, text.size()) - at), name)) return true;
  }
  return false;
}

bool IsVisibleFrom(std::string_view path, const NamedDefinition& definition) {
  switch (definition.visibility) {
    case Visibility::kAnywhere:
      return true;
    case Visibility::kDirectory:
      return DirectoryOfCode(path) == DirectoryOfCode(definition.path);
    case Visibility::kFile:
      return path == definition.path;
  }
  return true;
}

bool IsWithinScope(const NamePlace& place, std::string_view scope) {
  return std::ranges::find(place.scope, scope) != place.scope.end();
}

bool NamesModule(const NamePlace& place, std::string_view name, const NamedDefinition& definition) {
  return name == StemOfPath(definition.path) || name == FolderOfCode(definition.path) ||
         HasName(place.imports, name);
}

ReferenceEvidence EvidenceOfPaths(const NamePlace& place, const NamedDefinition& definition) {
  if (place.path == definition.path) return ReferenceEvidence::kFile;
  const bool is_beside = DirectoryOfCode(place.path) == DirectoryOfCode(definition.path);
  if (is_beside || HasName(place.imports, StemOfPath(definition.path))) {
    return ReferenceEvidence::kImport;
  }
  return ReferenceEvidence::kName;
}

size_t BehindBlanks(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '!')) ++at;
  return at;
}

}  // namespace

Qualifier QualifierOf(std::string_view text, size_t begin) {
  size_t end = begin;
  Qualifier qualifier;
  for (const std::string_view joint : {"::", "->", "?.", "."}) {
    if (!text.substr(0, end).ends_with(joint)) continue;
    end -= joint.size();
    qualifier.joint = text.substr(end, joint.size());
    break;
  }
  if (qualifier.joint.empty()) return qualifier;
  size_t first = end;
  while (first > 0 && IsCodeNameByte(text[first - 1])) --first;
  qualifier.name = text.substr(first, end - first);
  return qualifier;
}

bool IsOwnReceiver(std::string_view name) {
  constexpr std::string_view kOwn[] = {"this", "self", "Self", "super", "static", "cls"};
  return std::ranges::find(kOwn, name) != std::end(kOwn);
}

std::string PlainName(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != '_') plain += ToAsciiLower(c);
  }
  return plain;
}

std::string_view ReferenceEvidenceName(ReferenceEvidence evidence) {
  constexpr std::string_view kNames[] = {"scope", "file", "import", "name"};
  return kNames[static_cast<size_t>(evidence)];
}

Visibility VisibilityOf(std::string_view path, std::string_view text, size_t begin,
                        std::string_view name, std::string_view kind) {
  if (HasExtension(path, " .go ")) {
    return !name.empty() && IsAsciiLower(name[0]) ? Visibility::kDirectory : Visibility::kAnywhere;
  }
  if (kind == "method") return Visibility::kAnywhere;
  bool is_local = false;
  if (HasExtension(path, kCFamily) && !HasExtension(path, kHeaders)) {
    const std::string_view rest = text.substr(begin);
    is_local = HasName(rest.substr(0, std::min(rest.find(name), rest.size())), "static");
  } else if (HasExtension(path, kModules)) {
    is_local = !IsExported(text, name);
  }
  return is_local ? Visibility::kFile : Visibility::kAnywhere;
}

bool IsCallPlace(const NamePlace& place) {
  if (HasExtension(place.path, kCallsWithoutParentheses)) return true;
  constexpr size_t kMostArguments = 200;  // bytes of <...>
  size_t at = BehindBlanks(place.text, place.end);
  if (place.text.substr(at).starts_with("::<")) at += 2;
  if (at < place.text.size() && place.text[at] == '<') {
    int open = 0;
    const size_t end = std::min(place.text.size(), at + kMostArguments);
    do {
      open += place.text[at] == '<' ? 1 : place.text[at] == '>' ? -1 : 0;
      ++at;
    } while (at < end && open > 0 && place.text[at] != ';' && place.text[at] != '\n');
    at = BehindBlanks(place.text, at);
  }
  return at < place.text.size() && place.text[at] == '(';
}

bool IsDeclarationPlace(const NamePlace& place, bool is_in_function) {
  if (is_in_function || !HasExtension(place.path, kCFamily)) return false;
  if (place.text.substr(BehindBlanks(place.text, place.end)).substr(0, 1) != "(") return false;
  const size_t newline = place.text.rfind('\n', place.begin);
  const size_t begin = newline == place.text.npos ? 0 : newline + 1;
  const std::string_view before = place.text.substr(begin, place.begin - begin);
  return before.find_first_of("=(,#{") == before.npos;
}

std::optional<ReferenceEvidence> EvidenceOf(const NamePlace& place,
                                            const NamedDefinition& definition) {
  if (!IsVisibleFrom(place.path, definition)) return std::nullopt;
  const Qualifier qualifier = QualifierOf(place.text, place.begin);
  const std::string_view scope =
      definition.scope.empty() ? std::string_view() : std::string_view(definition.scope.back());
  const bool is_method = definition.kind == "method";
  const bool is_in_scope = !scope.empty() && IsWithinScope(place, scope);
  if (qualifier.joint.empty()) {
    const std::string_view name = place.text.substr(place.begin, place.end - place.begin);
    if (ImportsNameFrom(place.path, place.imports, name, definition.path)) {
      return ReferenceEvidence::kScope;
    }
    if (is_in_scope) return ReferenceEvidence::kScope;
    if (is_method && NeedsReceiver(place.path)) return std::nullopt;
    return EvidenceOfPaths(place, definition);
  }
  if (!scope.empty() && !qualifier.name.empty()) {
    if (IsOwnReceiver(qualifier.name)) {
      return is_in_scope ? ReferenceEvidence::kScope : EvidenceOfPaths(place, definition);
    }
    if (PlainName(qualifier.name) == PlainName(scope)) return ReferenceEvidence::kScope;
  }
  if (scope.empty() && (definition.kind == "function" || definition.kind == "macro")) {
    if (!NamesModule(place, qualifier.name, definition)) return std::nullopt;
    return ReferenceEvidence::kScope;
  }
  return EvidenceOfPaths(place, definition);
}

}  // namespace recall
