// Reads the JSON Lines of Anthropic's memory server.
//
// A line is an entity (name, type, observations) or a relation between two names. An entity becomes
// a note whose text is a list with an item for each observation; its name is the title. Relations
// may precede their entities, so all lines are read before they are assigned.
//
// Invariant. ObservationsOf(ObservationList(x)) == x, or the note also keeps x on its card.
//
// Cost: one pass; memory for all entities.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "index/source/note/text_links.h"
#include "query/add/records/json_record.h"
#include "query/compat/memories/foreign_card.h"
#include "query/compat/memories/readers.h"
#include "query/compat/memory_server/observations.h"
#include "storage/file_io/input_lines.h"

namespace recall {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kObservationsKey = "observations";

class GraphReader final {
 public:
  explicit GraphReader(ForeignMemory* memory) : memory_(memory) {}

  Status Add(const LineRef& line) {
    auto object = ParseJsonObject(line.text);
    if (!object) return NotALine(line);
    CardFields fields(*std::move(object));
    const std::string type = fields.Text({"type"}).value_or("");
    if (type == "entity") return AddEntity(line, std::move(fields));
    if (type == "relation") return AddRelation(line, std::move(fields));
    return LineFault(line, "\"type\" is neither \"entity\" nor \"relation\"", kHint);
  }

  Status Finish() {
    for (size_t i = 0; i < memory_->notes.size(); ++i) {
      SetObservations(observations_[i].texts, &memory_->notes[i].draft);
      RECALL_TRY(CheckCard(memory_->notes[i]));
    }
    for (auto& [from, link] : relations_) {
      const auto source = by_name_.find(from);
      if (source == by_name_.end()) {
        ++memory_->dropped["relations of names that are no entity"];
        continue;
      }
      memory_->notes[source->second].links.push_back(std::move(link));
    }
    std::ranges::sort(memory_->notes, {}, &ForeignNote::id);
    return Status::Ok();
  }

 private:
  static constexpr const char* kHint =
      "each line is {\"type\":\"entity\",...} or {\"type\":\"relation\",...}";

  static Status NotALine(const LineRef& line) {
    RECALL_TRY(JsonRecord::Parse(line, {}));  // says where the JSON is invalid
    return LineFault(line, "the line has too many values or levels", kHint);
  }

  Status AddEntity(const LineRef& line, CardFields fields) {
    const auto name = fields.Text({"name"});
    if (!name || name->empty()) return LineFault(line, "the entity has no \"name\"", kHint);
    if (fields.repaired()) ++memory_->dropped[kRepairedTexts];
    std::vector<std::string> texts = fields.Texts(kObservationsKey);
    const auto [known, is_new] = by_name_.emplace(*name, memory_->notes.size());
    if (!is_new) {
      ++memory_->dropped["entities with the name of another, whose observations were joined"];
      observations_[known->second].Join(std::move(texts));
      return Status::Ok();
    }
    observations_.emplace_back();
    observations_.back().texts = std::move(texts);
    ForeignNote note;
    note.id = *name;
    note.path = NotePathOf(NoteIdOf(*name));
    note.mark = {"title", *name};
    note.place = {std::string(line.file), true, line.number};
    note.draft.title = *name;
    note.draft.type = fields.Text({"entityType"}).value_or("");
    if (note.draft.type.empty()) note.draft.type = "entity";
    KeepRest(fields, &note.draft, &memory_->kept);
    memory_->notes.push_back(std::move(note));
    return Status::Ok();
  }

  void SetObservations(const std::vector<std::string>& observations, NoteDraft* draft) {
    draft->text = ObservationList(observations);
    if (ObservationsOf(draft->text) == observations) return;
    ++memory_->kept[std::string(kObservationsKey)];
    draft->other.emplace_back(kObservationsKey, PrintTexts(observations));
    std::ranges::sort(draft->other);
  }

  Status AddRelation(const LineRef& line, CardFields fields) {
    const auto from = fields.Text({"from"});
    const auto to = fields.Text({"to"});
    if (!from || !to || from->empty() || to->empty()) {
      return LineFault(line, "the relation has no \"from\" or no \"to\"", kHint);
    }
    if (*from == *to) {
      ++memory_->dropped[kLinksToItself];
      return Status::Ok();
    }
    const std::string type = fields.Text({"relationType"}).value_or("");
    if (!known_relations_.emplace(*from, *to, type).second) return Status::Ok();
    ForeignLink link;
    link.target = *to;
    link.relation = RelationNameOf(type);
    // The export to this format writes the relation as it was.
    if (link.relation != type) link.reason = type;
    const auto rest = fields.Rest();
    memory_->dropped["other fields of relations"] += static_cast<int64_t>(rest.size());
    relations_.emplace_back(*from, std::move(link));
    return Status::Ok();
  }

  // The observations of an entity.
  struct Observations {
    std::vector<std::string> texts;
    std::set<std::string> seen;  // filled when an entity of the same name follows

    void Join(std::vector<std::string> more) {
      if (seen.empty()) seen.insert(texts.begin(), texts.end());
      for (std::string& text : more) {
        if (seen.insert(text).second) texts.push_back(std::move(text));
      }
    }
  };

  ForeignMemory* memory_;
  std::map<std::string, size_t> by_name_;   // index in memory_->notes
  std::vector<Observations> observations_;  // of memory_->notes
  std::set<std::tuple<std::string, std::string, std::string>> known_relations_;
  std::vector<std::pair<std::string, ForeignLink>> relations_;
};

}  // namespace

Result<ForeignMemory> ReadMemoryGraph(const std::string& path, const ForeignOptions& options) {
  ForeignMemory memory;
  GraphReader reader(&memory);
  RECALL_ASSIGN(auto file, InputFile::Open(path, options.cancel));
  InputLines lines(std::move(file), options.max_document_bytes);
  std::string line;
  uint64_t bytes = 0;
  for (;;) {
    if (options.cancel->load(std::memory_order_relaxed)) {
      return Fail(Status::Cancelled("interrupted"));
    }
    RECALL_ASSIGN(const bool more, lines.Next(&line));
    if (!more) break;
    if (IsBlankLine(line)) continue;
    bytes += line.size();
    if (bytes > kMostForeignBytes) {
      return Fail(Status::LimitExceeded(lines.file().name() + ": more than 1 GiB of notes",
                                        "split the file, relations behind their entities"));
    }
    ++memory.lines;
    RECALL_TRY(reader.Add({lines.file().name(), lines.line_number(), line}));
  }
  RECALL_TRY(reader.Finish());
  std::erase_if(memory.dropped, [](const auto& entry) { return entry.second == 0; });
  return memory;
}

}  // namespace recall
