// Reads each text once: the words outside of comments and texts that are names of definitions, the
// words of the lines that import, and what says where a definition can be used.
//
//   blocks of a document -> decompress, read words -> uses, imports, visibilities -> graph
//      snapshot's thread       other threads                    snapshot's thread

#include "query/ask/map/graph_reader.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "index/source/code/code_words.h"
#include "index/source/code/import_lines.h"
#include "query/ask/rows/text_pipeline.h"
#include "query/ask/uses/code_paths.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

using NumberByText = std::unordered_map<std::string, uint32_t>;

uint32_t NumberFor(NumberByText& numbers, std::string text) {
  const auto next = static_cast<uint32_t>(numbers.size());
  return numbers.emplace(std::move(text), next).first->second;
}

// Whether a text exports each of its names is searched for in the whole text.
constexpr size_t kMostBytesOfVisibility = 256 << 10;

struct TextJob {
  uint32_t document = 0;
  DocRow row;
  std::vector<std::string> blocks;
  AllowedParts allowed;
};

struct TextFacts {
  Status status;
  uint32_t document = 0;
  std::vector<CodeGraph::Use> uses;
  std::vector<uint32_t> imports;
  std::vector<Visibility> visibilities;  // of the definitions of the document
};

// What the texts are compared with.
struct KnownWords {
  std::unordered_map<std::string_view, uint32_t> names;  // of definitions
  NumberByText words;                                    // PlainNames of paths and scopes
};

class FactReader final {
 public:
  FactReader(const MapSource& source, const KnownWords& vocabulary)
      : source_(source), vocabulary_(vocabulary) {}

  TextFacts Read(const TextJob& job) {
    TextFacts facts;
    facts.document = job.document;
    const auto text = DecompressText(job.row, job.blocks);
    if (!text) {
      facts.status = text.error();
      return facts;
    }
    ReadUses(job, *text, facts);
    ReadImports(*text, facts);
    ReadVisibilities(*text, facts);
    return facts;
  }

 private:
  using Use = CodeGraph::Use;

  void ReadUses(const TextJob& job, std::string_view text, TextFacts& facts) const {
    std::vector<Use> uses;
    VisitCodeWords(job.row.path, text, [&](size_t begin, std::string_view word) {
      const auto name = vocabulary_.names.find(word);
      if (name == vocabulary_.names.end() || !job.allowed.Contains(begin)) return;
      uses.push_back(MakeUse(text, begin, name->second));
    });
    const auto key = [](const Use& use) { return std::tuple(use.name, use.joint, use.qualifier); };
    std::ranges::sort(uses, {}, key);
    for (const Use& use : uses) {
      const bool is_new = facts.uses.empty() || key(facts.uses.back()) != key(use);
      if (is_new) facts.uses.push_back(use);
      ++facts.uses.back().count;
    }
  }

  Use MakeUse(std::string_view text, size_t begin, uint32_t name) const {
    Use use{.name = name};
    const Qualifier qualifier = QualifierOf(text, begin);
    const bool is_range =
        qualifier.joint == "." && qualifier.name.empty() && text.substr(0, begin).ends_with("..");
    if (qualifier.joint.empty() || is_range) return use;
    use.joint = qualifier.joint == "::" ? NameJoint::kScope : NameJoint::kMember;
    if (qualifier.name.empty()) return use;
    if (IsOwnReceiver(qualifier.name)) {
      use.joint = NameJoint::kOwn;
      return use;
    }
    const auto word = vocabulary_.words.find(PlainName(qualifier.name));
    use.qualifier = word == vocabulary_.words.end() ? CodeGraph::kOtherWord : word->second;
    return use;
  }

  void ReadImports(std::string_view text, TextFacts& facts) const {
    const auto is_part = [](char c) {
      return IsAsciiAlnum(c) || c == '_' || c == '-' || (c & 0x80) != 0;
    };
    for (const LineSpan& span : FindImports(text)) {
      for (size_t at = span.begin; at < span.end; ++at) {
        size_t end = at;
        while (end < span.end && is_part(text[end])) ++end;
        const auto word = vocabulary_.words.find(PlainName(text.substr(at, end - at)));
        if (end > at && word != vocabulary_.words.end()) facts.imports.push_back(word->second);
        at = end;
      }
    }
    std::ranges::sort(facts.imports);
    const auto repeated = std::ranges::unique(facts.imports);
    facts.imports.erase(repeated.begin(), repeated.end());
  }

  void ReadVisibilities(std::string_view text, TextFacts& facts) const {
    const uint32_t first = source_.first_definition[facts.document];
    const uint32_t last = source_.first_definition[facts.document + 1];
    facts.visibilities.assign(last - first, Visibility::kAnywhere);
    if (text.size() > kMostBytesOfVisibility) return;
    const std::string_view path = source_.documents[facts.document].row.path;
    size_t at = 0;
    uint32_t line = 1;
    for (uint32_t i = first; i < last; ++i) {
      const Symbol& symbol = source_.definitions[i].symbol;
      for (; line < symbol.start_line && at < text.size(); ++line) {
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
      }
      facts.visibilities[i - first] = VisibilityOf(path, text, at, symbol.name, symbol.kind);
    }
  }

  const MapSource& source_;
  const KnownWords& vocabulary_;
};

class CodeGraphReader final {
 public:
  CodeGraphReader(const TextsAndFacts& texts, const MapSource& source)
      : texts_(texts), source_(source) {}

  Result<CodeGraph> Read(const Bitmap* scope, uint32_t threads) {
    AddFiles();
    AddDefinitions();
    TextPipeline<TextJob, TextFacts> reading(
        threads,
        [&] {
          return [this](const TextJob& job) { return FactReader(source_, vocabulary_).Read(job); };
        },
        [&](TextFacts facts) { return Take(std::move(facts)); });
    for (uint32_t i = 0; i < source_.documents.size(); ++i) {
      const MapSource::Document& document = source_.documents[i];
      TextJob job{i, document.row, {}, {}};
      RECALL_ASSIGN(job.allowed, AllowedParts::Read(texts_, job.row, document.candidate, scope));
      RECALL_ASSIGN(job.blocks, texts_.ReadTextBlocks(job.row));
      RECALL_TRY(reading.Submit(std::move(job), static_cast<size_t>(document.row.size)));
    }
    RECALL_TRY(reading.Finish());
    return std::move(graph_);
  }

 private:
  uint32_t WordOf(std::string_view name) { return NumberFor(vocabulary_.words, PlainName(name)); }

  void AddFiles() {
    NumberByText languages;
    NumberByText directories;
    for (const MapSource::Document& document : source_.documents) {
      const std::string_view path = document.row.path;
      CodeGraph::File& file = graph_.files.emplace_back();
      file.language = NumberFor(languages, LanguageOfCode(path));
      file.needs_receiver = NeedsReceiver(path);
      file.directory = NumberFor(directories, std::string(DirectoryOfCode(path)));
      file.module = WordOf(ModuleOfCode(path));
      file.folder = WordOf(FolderOfCode(path));
    }
  }

  static CodeGraph::Kind KindOf(std::string_view kind) {
    if (kind == "method") return CodeGraph::Kind::kMethod;
    const bool is_value = kind == "constant" || kind == "variable";
    return is_value ? CodeGraph::Kind::kValue : CodeGraph::Kind::kOther;
  }

  // Constants of enumerations may be used by their names alone.
  bool IsMember(const MapSource::Definition& definition) const {
    if (definition.symbol.kind == "method") return true;
    if (!definition.parent) return false;
    constexpr std::string_view kClasses[] = {"class", "struct", "union", "interface", "trait"};
    const std::string& around = source_.definitions[*definition.parent].symbol.kind;
    return std::ranges::find(kClasses, around) != std::end(kClasses);
  }

  void AddDefinitions() {
    for (uint32_t i = 0; i < source_.names.size(); ++i) {
      vocabulary_.names.emplace(source_.names[i], i);
      graph_.name_weights.push_back(NameWeight(source_.names[i]));
    }
    for (const MapSource::Definition& definition : source_.definitions) {
      CodeGraph::Definition& added = graph_.definitions.emplace_back();
      added.file = definition.document;
      added.name = definition.name;
      added.kind = KindOf(definition.symbol.kind);
      added.is_member = IsMember(definition);
      for (const std::string_view part : SplitQualifiedName(definition.symbol.scope)) {
        added.scope.push_back(WordOf(part.substr(0, part.find('<', 1))));
      }
      added.is_meant = !definition.is_constructor;
    }
  }

  Status Take(TextFacts facts) {
    RECALL_TRY(facts.status);
    CodeGraph::File& file = graph_.files[facts.document];
    file.uses = std::move(facts.uses);
    file.imports = std::move(facts.imports);
    const uint32_t first = source_.first_definition[facts.document];
    for (size_t i = 0; i < facts.visibilities.size(); ++i) {
      graph_.definitions[first + i].visibility = facts.visibilities[i];
    }
    return Status::Ok();
  }

  const TextsAndFacts& texts_;
  const MapSource& source_;
  KnownWords vocabulary_;
  CodeGraph graph_;
};

}  // namespace

Result<CodeGraph> ReadGraph(const TextsAndFacts& texts, const MapSource& source,
                            const Bitmap* scope, uint32_t threads) {
  return CodeGraphReader(texts, source).Read(scope, threads);
}

}  // namespace recall
