// The tools of Anthropic's memory server: a graph of named entities with observations.
//
// The problem. That server reads and writes its whole graph at once, and names an entity by its
// name alone. Here entities are notes, observations the items of their lists, relations links, as
// in imports and exports of that program (docs/memory-import.md).
//
// The idea. The graph is what `export --format memory` prints, with the paths of the notes beside
// it; each tool compares its arguments with the graph and runs a command for each change.
//
// Invariants. Entities are listed in the order in which they were made, and relations by their
// sources in this order. No relation leads to an entity that is not listed.
//
// Cost: each call reads all notes.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cli/compat/tools/compat_tools.h"
#include "cli/server/tools/tool_answers.h"
#include "query/compat/memories/foreign_memory.h"
#include "query/compat/memory_server/observations.h"
#include "storage/base/clock.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

struct Entity {
  Json fields;  // name, entityType, observations
  std::string path;
  UnixNanos made = 0;
};

struct Graph {
  std::vector<Entity> entities;
  std::vector<Json> relations;  // from, to, relationType
  std::map<std::string, size_t, std::less<>> by_name;

  const Entity* Find(std::string_view name) const {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : &entities[found->second];
  }
  bool Has(const Json& relation) const {
    return std::ranges::find(relations, relation) != relations.end();
  }
};

using GraphResult = tl::expected<Graph, ToolFault>;

// Lists all notes with their paths and times, by path. The last line has the totals.
tl::expected<std::vector<Json>, ToolFault> ListNotes(CommandRunner& runner) {
  const CommandOutput output = runner.Run(
      "query", {"--lean", "--",
                "SELECT doc.path, doc.meta.created, doc.mtime FROM doc FILTER doc.parser = 'note' "
                "ORDER BY doc.path ASC LIMIT 1000000000"});
  if (!output.ok()) return tl::unexpected(FaultOf(output));
  return ParseLines(output.text);
}

UnixNanos TimeMade(const Json& row) {
  const auto created = ParseForeignTime(JsonText(row, "doc.meta.created"));
  return created ? *created : ParseForeignTime(JsonText(row, "doc.mtime")).value_or(0);
}

// Adds a line of `export --format memory`, an entity or a relation. `rows`: ListNotes.
void AddLine(Json line, const std::vector<Json>& rows, Graph* graph) {
  const bool entity = line["type"] == "entity";
  line.erase("type");
  if (!entity) {
    graph->relations.push_back(std::move(line));
    return;
  }
  const Json& row = rows[graph->entities.size()];
  graph->entities.push_back({std::move(line), JsonText(row, "doc.path"), TimeMade(row)});
}

void Order(Graph* graph) {
  std::ranges::stable_sort(graph->entities, {},
                           [](const Entity& entity) { return std::tie(entity.made, entity.path); });
  for (size_t i = 0; i < graph->entities.size(); ++i) {
    graph->by_name.emplace(JsonText(graph->entities[i].fields, "name"), i);
  }
  std::erase_if(graph->relations, [&](const Json& relation) {
    return !graph->Find(JsonText(relation, "from")) || !graph->Find(JsonText(relation, "to"));
  });
  std::ranges::stable_sort(graph->relations, {}, [&](const Json& relation) {
    return graph->by_name.find(JsonText(relation, "from"))->second;
  });
}

// The list of notes and the export are two commands. They belong together if nothing was committed
// in between.
GraphResult ReadGraph(CommandRunner& runner) {
  constexpr int kMostAttempts = 10;
  auto before = ListNotes(runner);
  for (int attempt = 0; attempt < kMostAttempts && before; ++attempt) {
    const CommandOutput output = runner.Run("export", {"--quiet", "--format=memory"});
    if (!output.ok()) return tl::unexpected(FaultOf(output));
    auto after = ListNotes(runner);
    if (after && *after == *before) {
      Graph graph;
      for (Json& line : ParseLines(output.text)) {
        // Each note is an entity; the last line of the list has the totals.
        if (graph.entities.size() + 1 > before->size()) break;
        AddLine(std::move(line), *before, &graph);
      }
      Order(&graph);
      return graph;
    }
    before = std::move(after);
  }
  if (!before) return tl::unexpected(before.error());
  return tl::unexpected(ToolFault{"busy", "others write to the store all the time", "try again"});
}

// Selects the entities for which `wanted` holds, and the relations that begin or end at one of
// them.
template <typename Wanted>
Json PartOf(const Graph& graph, const Wanted& wanted) {
  Json part = {{"entities", Json::array()}, {"relations", Json::array()}};
  std::set<std::string> names;
  for (const Entity& entity : graph.entities) {
    if (!wanted(entity)) continue;
    names.insert(JsonText(entity.fields, "name"));
    part["entities"].push_back(entity.fields);
  }
  for (const Json& relation : graph.relations) {
    if (names.contains(JsonText(relation, "from")) || names.contains(JsonText(relation, "to"))) {
      part["relations"].push_back(relation);
    }
  }
  return part;
}

ToolFault NoEntity(const std::string& name) {
  return {"not_found", "Entity with name " + name + " not found", ""};
}

// ---- Reading ------------------------------------------------------------------------------------

CompatResult ReadAll(const CompatCall& call) {
  const GraphResult graph = ReadGraph(call.runner);
  if (!graph) return tl::unexpected(graph.error());
  return PartOf(*graph, [](const Entity&) { return true; });
}

// Returns: the paths of the notes that a search of the store finds.
tl::expected<std::set<std::string>, ToolFault> FindInStore(const CompatCall& call,
                                                           const std::string& query) {
  std::set<std::string> paths;
  if (Trim(query).empty()) return paths;
  const CommandOutput output = call.runner.Run(
      "search", {"--lean", "--fields=path", "--filter=doc.kind = 'note'", "--stages=per-document",
                 "--min-score=0.25", "-k", "10", "--", query});
  if (!output.ok()) return tl::unexpected(FaultOf(output));
  for (const Json& line : ParseLines(output.text)) {
    if (line.contains("path")) paths.insert(JsonText(line, "path"));
  }
  return paths;
}

// Finds the entities that contain the query, without regard to case. If none does, those that a
// search of the store finds.
CompatResult SearchNodes(const CompatCall& call) {
  const GraphResult graph = ReadGraph(call.runner);
  if (!graph) return tl::unexpected(graph.error());
  const std::string query = JsonText(call.arguments, "query");
  const std::string folded = FoldedText(query);
  const auto contains = [&](const Json& text) {
    return FoldedText(text.get_ref<const std::string&>()).find(folded) != std::string::npos;
  };
  Json part = PartOf(*graph, [&](const Entity& entity) {
    const Json& fields = entity.fields;
    return contains(fields["name"]) || contains(fields["entityType"]) ||
           std::ranges::any_of(fields["observations"], contains);
  });
  if (!part["entities"].empty()) return part;
  const auto found = FindInStore(call, query);
  if (!found) return tl::unexpected(found.error());
  return PartOf(*graph, [&](const Entity& entity) { return found->contains(entity.path); });
}

CompatResult OpenNodes(const CompatCall& call) {
  const GraphResult graph = ReadGraph(call.runner);
  if (!graph) return tl::unexpected(graph.error());
  const std::vector<std::string> names = TextsIn(call.arguments, "names");
  const std::set<std::string> wanted(names.begin(), names.end());
  return PartOf(*graph, [&](const Entity& entity) {
    return wanted.contains(JsonText(entity.fields, "name"));
  });
}

// ---- Adding -------------------------------------------------------------------------------------

// Writes a list as the value of a flag, which must not be empty.
std::string ListOf(const std::vector<std::string>& observations) {
  return ObservationList(observations) + "\n";
}

CompatResult CreateEntities(const CompatCall& call) {
  const GraphResult graph = ReadGraph(call.runner);
  if (!graph) return tl::unexpected(graph.error());
  Json made = Json::array();
  std::set<std::string> known;
  for (const Json& entity : call.arguments["entities"]) {
    const std::string name = JsonText(entity, "name");
    if (graph->Find(name) || !known.insert(name).second) continue;
    std::string type = JsonText(entity, "entityType");
    if (type.empty()) type = "entity";
    const std::vector<std::string> observations = TextsIn(entity, "observations");
    const CompatResult saved = RunCommand(
        call.runner, "save", {"--json", "--text=" + ListOf(observations), "--", type, name});
    if (!saved) return tl::unexpected(saved.error());
    made.push_back({{"name", name}, {"entityType", type}, {"observations", observations}});
  }
  return Json{{"entities", std::move(made)}};
}

CompatResult CreateRelations(const CompatCall& call) {
  const GraphResult graph = ReadGraph(call.runner);
  if (!graph) return tl::unexpected(graph.error());
  const Json& relations = call.arguments["relations"];
  for (const Json& relation : relations) {
    for (const char* end : {"from", "to"}) {
      const std::string name = JsonText(relation, end);
      if (!graph->Find(name)) return tl::unexpected(NoEntity(name));
    }
  }
  Json made = Json::array();
  for (const Json& given : relations) {
    const std::string type = JsonText(given, "relationType");
    const Json relation = {
        {"from", given["from"]}, {"to", given["to"]}, {"relationType", given["relationType"]}};
    if (graph->Has(relation) || std::ranges::find(made, relation) != made.end()) continue;
    const std::string name = RelationNameOf(type);
    std::vector<std::string> args = {"--json", "--as=" + name};
    if (name != type) args.push_back("--reason=" + type);
    args.insert(args.end(), {"--", graph->Find(JsonText(given, "from"))->path,
                             graph->Find(JsonText(given, "to"))->path});
    const CompatResult linked = RunCommand(call.runner, "link", std::move(args));
    if (!linked) return tl::unexpected(linked.error());
    made.push_back(relation);
  }
  return Json{{"relations", std::move(made)}};
}

// ---- Observations -------------------------------------------------------------------------------

// Writes observations as the body of a note: as a list if the present `body` is one, otherwise as
// paragraphs.
std::string BodyWith(std::string_view body, const std::vector<std::string>& observations) {
  const std::vector<std::string> present = ObservationsOf(body);
  if (Trim(body) == ObservationList(present)) return ListOf(observations);
  std::string paragraphs;
  for (const std::string& observation : observations) {
    paragraphs += (paragraphs.empty() ? "" : "\n\n") + observation;
  }
  return paragraphs + "\n";
}

// Changes the observations of an entity. `change` gets all of them and returns whether it has
// changed them.
template <typename Change>
tl::expected<void, ToolFault> ChangeObservations(const CompatCall& call, const Entity& entity,
                                                 const Change& change) {
  const auto note = ReadWholeNote({call.arguments, call.runner}, entity.path);
  if (!note) return tl::unexpected(note.error());
  std::vector<std::string> observations = ObservationsOf(note->body);
  if (!change(observations)) return {};
  const CompatResult saved = RunCommand(
      call.runner, "save",
      {"--json", "--rewrite=" + entity.path, "--text=" + BodyWith(note->body, observations)});
  if (!saved) return tl::unexpected(saved.error());
  return {};
}

CompatResult AddObservations(const CompatCall& call) {
  const GraphResult graph = ReadGraph(call.runner);
  if (!graph) return tl::unexpected(graph.error());
  const Json& given = call.arguments["observations"];
  for (const Json& one : given) {
    const std::string name = JsonText(one, "entityName");
    if (!graph->Find(name)) return tl::unexpected(NoEntity(name));
  }
  Json results = Json::array();
  for (const Json& one : given) {
    const std::string name = JsonText(one, "entityName");
    std::vector<std::string> added;
    const auto changed =
        ChangeObservations(call, *graph->Find(name), [&](std::vector<std::string>& observations) {
          for (std::string& text : TextsIn(one, "contents")) {
            const bool known = std::ranges::find(observations, text) != observations.end();
            if (!known) added.push_back(std::move(text));
          }
          observations.insert(observations.end(), added.begin(), added.end());
          return !added.empty();
        });
    if (!changed) return tl::unexpected(changed.error());
    results.push_back({{"entityName", name}, {"addedObservations", added}});
  }
  return Json{{"results", std::move(results)}};
}

// ---- Removing -----------------------------------------------------------------------------------

Json Done(const char* what) { return {{"success", true}, {"message", what}}; }

CompatResult DeleteObservations(const CompatCall& call) {
  const GraphResult graph = ReadGraph(call.runner);
  if (!graph) return tl::unexpected(graph.error());
  for (const Json& one : call.arguments["deletions"]) {
    const Entity* const entity = graph->Find(JsonText(one, "entityName"));
    if (!entity) continue;
    const std::vector<std::string> texts = TextsIn(one, "observations");
    const auto changed =
        ChangeObservations(call, *entity, [&](std::vector<std::string>& observations) {
          return std::erase_if(observations, [&](const std::string& observation) {
                   return std::ranges::find(texts, observation) != texts.end();
                 }) > 0;
        });
    if (!changed) return tl::unexpected(changed.error());
  }
  return Done("Observations deleted successfully");
}

// Links that are written in the text of a note are not removed.
tl::expected<void, ToolFault> Unlink(const CompatCall& call, const Graph& graph,
                                     const Json& relation) {
  const CompatResult unlinked = RunCommand(
      call.runner, "unlink",
      {"--json", "--as=" + RelationNameOf(JsonText(relation, "relationType")), "--",
       graph.Find(JsonText(relation, "from"))->path, graph.Find(JsonText(relation, "to"))->path});
  if (!unlinked && unlinked.error().code != "not_found") return tl::unexpected(unlinked.error());
  return {};
}

CompatResult DeleteRelations(const CompatCall& call) {
  const GraphResult graph = ReadGraph(call.runner);
  if (!graph) return tl::unexpected(graph.error());
  for (const Json& given : call.arguments["relations"]) {
    const Json relation = {
        {"from", given["from"]}, {"to", given["to"]}, {"relationType", given["relationType"]}};
    if (!graph->Has(relation)) continue;
    if (const auto unlinked = Unlink(call, *graph, relation); !unlinked) {
      return tl::unexpected(unlinked.error());
    }
  }
  return Done("Relations deleted successfully");
}

// The links are removed first; otherwise a new entity of the same name would have them.
CompatResult DeleteEntities(const CompatCall& call) {
  const GraphResult graph = ReadGraph(call.runner);
  if (!graph) return tl::unexpected(graph.error());
  std::set<std::string> names;
  std::vector<std::string> args = {"--json", "--"};
  for (std::string& name : TextsIn(call.arguments, "entityNames")) {
    const Entity* const entity = graph->Find(name);
    if (entity && names.insert(std::move(name)).second) args.push_back(entity->path);
  }
  for (const Json& relation : graph->relations) {
    if (!names.contains(JsonText(relation, "from")) && !names.contains(JsonText(relation, "to"))) {
      continue;
    }
    if (const auto unlinked = Unlink(call, *graph, relation); !unlinked) {
      return tl::unexpected(unlinked.error());
    }
  }
  if (!names.empty()) {
    const CompatResult removed = RunCommand(call.runner, "rm", std::move(args));
    if (!removed) return tl::unexpected(removed.error());
  }
  return Done("Entities deleted successfully");
}

// ---- The table ----------------------------------------------------------------------------------

constexpr std::string_view kEntities =
    "entities*: [{name*: text; entityType*: text; observations*: [text]}]";
constexpr std::string_view kRelations =
    "relations*: [{from*: text; to*: text; relationType*: text}]";
constexpr std::string_view kGraph =
    "entities*: [{name*: text; entityType*: text; observations*: [text]}]; "
    "relations*: [{from*: text; to*: text; relationType*: text}]";
constexpr std::string_view kDone = "success*: flag; message*: text";

constexpr CompatTool kMemoryTools[] = {
    {"create_entities", ToolEffect::kAdds,
     "Save new entities: a name, a type, observations. Known names are left as they are.",
     kEntities, kEntities, "entities", &CreateEntities},
    {"create_relations", ToolEffect::kAdds,
     "Relate entities, in the active voice: from, relationType, to.", kRelations, kRelations,
     "relations", &CreateRelations},
    {"add_observations", ToolEffect::kAdds, "Add observations to entities.",
     "observations*: [{entityName*: text; contents*: [text]}]",
     "results*: [{entityName*: text; addedObservations*: [text]}]", "results", &AddObservations},
    {"delete_entities", ToolEffect::kRemoves, "Remove entities and their relations.",
     "entityNames*: [text]", kDone, "message", &DeleteEntities},
    {"delete_observations", ToolEffect::kRemoves, "Remove observations of entities.",
     "deletions*: [{entityName*: text; observations*: [text]}]", kDone, "message",
     &DeleteObservations},
    {"delete_relations", ToolEffect::kRemoves, "Remove relations.", kRelations, kDone, "message",
     &DeleteRelations},
    {"read_graph", ToolEffect::kReads, "Read all entities and relations.", "", kGraph, "",
     &ReadAll},
    {"search_nodes", ToolEffect::kReads,
     "Find entities by their names, types and observations, with their relations.", "query*: text",
     kGraph, "", &SearchNodes},
    {"open_nodes", ToolEffect::kReads, "Read entities by their names, with their relations.",
     "names*: [text]", kGraph, "", &OpenNodes},
};

}  // namespace

std::span<const CompatTool> MemoryTools() { return kMemoryTools; }

}  // namespace recall
