// The problem: which definitions should one know who has never seen the code?
//
// The idea, as of aider's map of a repository (https://aider.chat/2023/10/22/repomap.html): files
// are the nodes of a graph. A file that uses a name refers to the files that define it. PageRank
// gives the rank of files, and what arrives at a file by a name is the score of its definition:
//
//   uses of a.py:  load 4, Store 9          store.py  defines Store   9 uses, imported
//        a.py ----------------------------> util.py   defines load    4 uses, imported
//                                           old.py    defines load    not imported: no edge
//
// A name means the definitions for which there is the strongest evidence: those whose scope stands
// before it (`Store::Commit`), those of the same file, then of files that are imported, then of the
// same directory, then any. What is before a name excludes most others: `std::string` means no
// method `string`. The weight of a name is the square root of its count, so that a loop does not
// outvote ten files; it is divided among the definitions that it means.
//
// What does not arrive by a reference, the restart of the walk, is distributed over the definitions
// of a file by their uses within it. A question makes the walk restart where paths and names fit
// it, and makes references to what fits weigh more.
//
// Cost: a step for each name of a file and each file that defines it; then PageRank.

#include "query/ask/map/definition_ranking.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "query/ask/map/page_rank.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

// What says that a name means a definition, the strongest last.
enum class Closeness : uint8_t { kExcluded, kAnyFile, kBeside, kImported, kOwnFile, kNamed };
constexpr double kClosenessWeights[] = {0, 0.1, 0.5, 1, 1, 1};
// Factors of evidence that may as well speak for something else.
constexpr double kOfAnyObject = 0.3;  // `x.name`, where the class of x is not known
constexpr double kOfBaseClass = 0.1;  // a member by its name alone
constexpr double kPlainWord = 0.5;    // of a name: below
// A name that more files define says less, and one that very many define says nothing.
constexpr double kFewDefiners = 5;
constexpr size_t kMostDefiners = 200;
// The references of a file weigh against this: that of about ten names that are used once.
constexpr double kReserve = 10;
// What others do not refer to counts less than what they do, unless it is asked for.
constexpr double kWithinPart = 0.1;
// How far a question makes the map lean.
constexpr double kLeaningRestart = 0.7;  // the part of the restart that goes to what fits
constexpr double kLeaningEdge = 30;
constexpr double kLeaningScore = 200;

double AsNumber(auto count) { return static_cast<double>(count); }

class DefinitionRanker final {
 public:
  explicit DefinitionRanker(const CodeGraph& graph) : graph_(graph) {}

  std::vector<double> Rank() {
    IndexDefinitions();
    for (uint32_t file = 0; file < graph_.files.size(); ++file) FindFlows(file);
    const std::vector<double> restart = MakeRestart();
    const std::vector<double> rank = PageRank(MakeEdges(), kReserve, restart);
    return Distribute(rank, restart);
  }

 private:
  // What a file passes on to a definition of another one.
  struct Flow {
    uint32_t definition = 0;
    double weight = 0;
  };
  // How strongly a use speaks for a definition.
  struct Evidence {
    Closeness closeness = Closeness::kExcluded;
    double factor = 1;
  };

  void IndexDefinitions() {
    const auto& definitions = graph_.definitions;
    for (uint32_t i = 0; i < definitions.size(); ++i) {
      if (definitions[i].is_meant) by_name_.push_back(i);
    }
    std::ranges::stable_sort(by_name_, {}, [&](uint32_t i) { return definitions[i].name; });
    first_of_name_.assign(graph_.name_weights.size() + 1, 0);
    for (const uint32_t i : by_name_) ++first_of_name_[definitions[i].name + 1];
    std::partial_sum(first_of_name_.begin(), first_of_name_.end(), first_of_name_.begin());
    uses_within_.assign(definitions.size(), 0);
    flows_.resize(graph_.files.size());
  }

  // By file.
  std::span<const uint32_t> DefinitionsOf(uint32_t name) const {
    const size_t begin = first_of_name_[name];
    return std::span(by_name_).subspan(begin, first_of_name_[name + 1] - begin);
  }

  // By what is before the name alone.
  Evidence EvidenceOfJoint(const CodeGraph::Use& use, const CodeGraph::File& from,
                           const CodeGraph::Definition& definition, bool is_own) const {
    const CodeGraph::File& file = graph_.files[definition.file];
    const bool names_module = use.qualifier < CodeGraph::kNoWord &&
                              (use.qualifier == file.module || use.qualifier == file.folder);
    const bool names_scope = !definition.scope.empty() && use.qualifier == definition.scope.back();
    switch (use.joint) {
      case NameJoint::kNone:
        if (!definition.is_member || is_own) return {Closeness::kAnyFile, 1};
        return from.needs_receiver ? Evidence() : Evidence{Closeness::kAnyFile, kOfBaseClass};
      case NameJoint::kOwn:
        if (definition.kind == CodeGraph::Kind::kOther) return {};
        return {Closeness::kAnyFile, is_own ? 1 : kOfAnyObject};
      case NameJoint::kMember:
        if (names_scope) return {Closeness::kNamed, 1};
        if (definition.kind != CodeGraph::Kind::kOther) return {Closeness::kAnyFile, kOfAnyObject};
        return names_module ? Evidence{Closeness::kNamed, 1} : Evidence();
      case NameJoint::kScope:
        if (names_scope) return {Closeness::kNamed, 1};
        if (use.qualifier == CodeGraph::kNoWord) return {Closeness::kAnyFile, kOfAnyObject};
        if (!names_module &&
            std::ranges::find(definition.scope, use.qualifier) == definition.scope.end()) {
          return {};
        }
        return {Closeness::kAnyFile, 1};
    }
    return {};
  }

  Evidence EvidenceOfUse(const CodeGraph::Use& use, uint32_t from_file,
                         const CodeGraph::Definition& definition) const {
    const CodeGraph::File& from = graph_.files[from_file];
    const CodeGraph::File& to = graph_.files[definition.file];
    const bool is_own = from_file == definition.file;
    const bool is_beside = from.directory == to.directory;
    if (from.language != to.language) return {};
    if (!is_own && definition.visibility == Visibility::kFile) return {};
    if (!is_beside && definition.visibility == Visibility::kDirectory) return {};
    Evidence evidence = EvidenceOfJoint(use, from, definition, is_own);
    if (evidence.closeness != Closeness::kAnyFile) return evidence;
    if (is_own) {
      evidence.closeness = Closeness::kOwnFile;
    } else if (std::ranges::binary_search(from.imports, to.module)) {
      evidence.closeness = Closeness::kImported;
    } else if (is_beside) {
      evidence.closeness = Closeness::kBeside;
    } else if (evidence.factor < 1 && graph_.name_weights[definition.name] <= kPlainWord) {
      return {};  // `x.size()`
    }
    return evidence;
  }

  void FindFlows(uint32_t from) {
    std::vector<Evidence> evidence;
    for (const CodeGraph::Use& use : graph_.files[from].uses) {
      const std::span<const uint32_t> definitions = DefinitionsOf(use.name);
      if (definitions.empty() || definitions.size() > kMostDefiners) continue;
      evidence.clear();
      Closeness closest = Closeness::kExcluded;
      for (const uint32_t definition : definitions) {
        evidence.push_back(EvidenceOfUse(use, from, graph_.definitions[definition]));
        closest = std::max(closest, evidence.back().closeness);
      }
      if (closest == Closeness::kExcluded) continue;
      const auto meant = AsNumber(std::ranges::count(evidence, closest, &Evidence::closeness));
      const double weight = std::sqrt(static_cast<double>(use.count)) *
                            graph_.name_weights[use.name] * Rarity(definitions) *
                            kClosenessWeights[static_cast<size_t>(closest)] / meant;
      for (size_t i = 0; i < definitions.size(); ++i) {
        if (evidence[i].closeness != closest) continue;
        AddUse(from, definitions[i], use.count / meant, weight * evidence[i].factor);
      }
    }
  }

  double Rarity(std::span<const uint32_t> definitions) const {
    size_t files = 1;
    for (size_t i = 1; i < definitions.size(); ++i) {
      const bool is_other =
          graph_.definitions[definitions[i]].file != graph_.definitions[definitions[i - 1]].file;
      files += is_other ? 1 : 0;
    }
    return std::min(1.0, kFewDefiners / AsNumber(files));
  }

  void AddUse(uint32_t from, uint32_t definition, double count, double weight) {
    const CodeGraph::Definition& of = graph_.definitions[definition];
    if (of.file == from) {
      uses_within_[definition] += count;
    } else {
      flows_[from].push_back({definition, weight * (1 + kLeaningEdge * of.fit)});
    }
  }

  std::vector<std::vector<WeightedEdge>> MakeEdges() const {
    std::vector<std::vector<WeightedEdge>> edges(graph_.files.size());
    for (size_t file = 0; file < edges.size(); ++file) {
      std::vector<WeightedEdge> all;
      for (const Flow& flow : flows_[file]) {
        all.push_back({graph_.definitions[flow.definition].file, flow.weight});
      }
      std::ranges::stable_sort(all, {}, &WeightedEdge::to);
      for (const WeightedEdge& edge : all) {
        auto& joined = edges[file];
        if (joined.empty() || joined.back().to != edge.to) {
          joined.push_back(edge);
        } else {
          joined.back().weight += edge.weight;
        }
      }
    }
    return edges;
  }

  // How much a file fits the question, by its path and its names: the squares of fits, so that one
  // common word of the question does not make a file fit.
  std::vector<double> MakeRestart() const {
    std::vector<double> fits;
    for (const CodeGraph::File& file : graph_.files) fits.push_back(file.fit * file.fit);
    for (const CodeGraph::Definition& definition : graph_.definitions) {
      double& fit = fits[definition.file];
      fit = std::max(fit, definition.fit * definition.fit);
    }
    double all = 0;
    double all_fits = 0;
    for (size_t i = 0; i < fits.size(); ++i) {
      fits[i] *= graph_.files[i].factor;
      all += graph_.files[i].factor;
      all_fits += fits[i];
    }
    const double leaning = all_fits > 0 ? kLeaningRestart : 0;
    std::vector<double> restart;
    for (size_t i = 0; i < fits.size(); ++i) {
      restart.push_back((1 - leaning) * (graph_.files[i].factor / all) +
                        (all_fits > 0 ? leaning * (fits[i] / all_fits) : 0));
    }
    return restart;
  }

  // How much of what a file does not get by references goes to a definition.
  double WeightWithin(uint32_t definition) const {
    const CodeGraph::Definition& of = graph_.definitions[definition];
    // The place of the definition itself is no use.
    const double uses =
        std::sqrt(std::max(0.0, uses_within_[definition] - 1)) * graph_.name_weights[of.name];
    return (1 + uses) * (1 + kLeaningScore * of.fit * of.fit);
  }

  std::vector<double> Distribute(const std::vector<double>& rank,
                                 const std::vector<double>& restart) const {
    const auto& definitions = graph_.definitions;
    std::vector<double> scores(definitions.size(), 0);
    double passed = 0;
    for (size_t file = 0; file < flows_.size(); ++file) {
      double weights = 0;
      for (const Flow& flow : flows_[file]) weights += flow.weight;
      const double share = kPassedOnRank * rank[file] / (weights + kReserve);
      passed += share * weights;
      for (const Flow& flow : flows_[file]) scores[flow.definition] += share * flow.weight;
    }
    std::vector<double> within(graph_.files.size(), 0);
    for (uint32_t i = 0; i < definitions.size(); ++i) {
      within[definitions[i].file] += WeightWithin(i);
    }
    double all = 0;
    for (uint32_t i = 0; i < definitions.size(); ++i) {
      const uint32_t file = definitions[i].file;
      const double fit = definitions[i].fit;
      const double part = std::max(kWithinPart, fit);
      scores[i] += part * (1 - passed) * restart[file] * (WeightWithin(i) / within[file]);
      scores[i] *= graph_.files[file].factor * (1 + kLeaningScore * fit * fit);
      all += scores[i];
    }
    for (double& score : scores) score /= all;
    return scores;
  }

  const CodeGraph& graph_;
  std::vector<uint32_t> by_name_;         // definitions that are meant, by name, then as they are
  std::vector<size_t> first_of_name_;     // by name, and one more
  std::vector<double> uses_within_;       // by definition: uses in its own file
  std::vector<std::vector<Flow>> flows_;  // by file
};

}  // namespace

double NameWeight(std::string_view name) {
  constexpr double kPrivate = 0.1;
  constexpr double kShort = 0.1;
  double weight = name.starts_with('_') ? kPrivate : 1;
  while (name.starts_with('_')) name.remove_prefix(1);
  while (name.ends_with('_')) name.remove_suffix(1);
  if (name.size() < 3) return weight * kShort;
  // Local variables and members of other classes are called like this.
  const bool is_plain = std::ranges::all_of(name, [](char c) { return IsAsciiLower(c); });
  return is_plain ? weight * kPlainWord : weight;
}

std::vector<double> RankDefinitions(const CodeGraph& graph) {
  return DefinitionRanker(graph).Rank();
}

}  // namespace recall
