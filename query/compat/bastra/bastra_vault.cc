// Reads a vault of bastra-recall.
//
// A memory is a Markdown file whose front matter has a `type`; its `id` names it, and its file lies
// anywhere in the vault. The keys of its card are those of a note here. `related_via` are links
// that the program computed from vectors, and a section of the text repeats them for other readers:
// the links are read from the card, the section is left out. Files without `type` and `id` are
// other notes that share the folder, which that program ignores, too.

#include <algorithm>
#include <cmath>

#include "index/source/note/text_links.h"
#include "query/compat/memories/exported_states.h"
#include "query/compat/memories/foreign_card.h"
#include "query/compat/memories/readers.h"
#include "query/compat/memories/vault_files.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kRelatedStart = "<!-- bastra:auto-related:start -->";
constexpr std::string_view kRelatedEnd = "<!-- bastra:auto-related:end -->";
constexpr std::string_view kSupersedes = "supersedes";

std::optional<ForeignLink> NearLink(const Json& element) {
  if (!element.is_object()) return std::nullopt;
  const auto id = element.find("id");
  const auto score = element.find("score");
  const auto reason = element.find("reason");
  if (id == element.end() || !id->is_string() || id->get_ref<const std::string&>().empty()) {
    return std::nullopt;
  }
  ForeignLink link;
  link.target = id->get<std::string>();
  link.relation = std::string(kRelatedRelation);
  link.near = true;
  if (score != element.end() && score->is_number()) link.weight = score->get<double>();
  if (reason != element.end() && reason->is_string()) link.reason = reason->get<std::string>();
  const bool sound = link.weight >= 0 && link.weight <= 1;
  return sound ? std::optional(std::move(link)) : std::nullopt;
}

std::optional<std::vector<ForeignLink>> NearLinks(const Json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<ForeignLink> links;
  for (const Json& element : list) {
    auto link = NearLink(element);
    if (!link) return std::nullopt;
    links.push_back(*std::move(link));
  }
  return links;
}

void TakeLinks(CardFields* fields, ForeignNote* note) {
  const bool has_own = !note->links.empty();
  const auto near = fields->Take({"related_via"}, NearLinks);
  if (near && !has_own) note->links.insert(note->links.end(), near->begin(), near->end());
  // `replaces` says of the newer note what `superseded_by` says of the older one.
  for (const std::string& target : fields->Peek("replaces")) {
    ForeignLink link;
    link.target = target;
    link.relation = kSupersedes;
    note->links.push_back(std::move(link));
  }
}

void SettleDraft(const VaultFile& file, NoteDraft* draft) {
  if (draft->type.empty()) draft->type = "note";
  if (draft->title.empty()) draft->title = StemOf(file.name);
  const std::string text = WithoutSection(file.Body(), kRelatedStart, kRelatedEnd);
  draft->text = Trim(WithoutSection(text, kLinksStart, kLinksEnd));
}

std::optional<ForeignNote> NoteOfMemoryFile(const VaultFile& file, CardFields* fields,
                                            ForeignMemory* memory) {
  const std::optional<std::string> id = fields->Text({"id"});
  ForeignNote note;
  note.draft = TakeDraft(fields);
  if (!id && note.draft.type.empty()) {
    ++memory->dropped["files without a card"];
    return std::nullopt;
  }
  note.id = id.value_or(StemOf(file.name));
  note.path = ForeignNotePath(note.id);
  if (id && note.path != NotePathOf(*id)) {
    note.mark = {"id", *id};
    note.draft.other.emplace_back("id", Json(*id).dump());
  }
  TakeStates(fields, &note);
  TakeLinks(fields, &note);
  SettleDraft(file, &note.draft);
  return note;
}

}  // namespace

Result<ForeignMemory> ReadBastraVault(const std::string& directory, const ForeignOptions& options) {
  return ReadVault(directory, options, "id", NoteOfMemoryFile);
}

}  // namespace recall
