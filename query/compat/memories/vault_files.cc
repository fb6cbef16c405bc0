#include "query/compat/memories/vault_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/source/chunk/front_matter.h"
#include "index/write/ingest/text_file.h"
#include "index/write/ingest/walker.h"
#include "query/add/records/json_record.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

bool IsMarkdownName(std::string_view name) {
  for (const std::string_view suffix : {".md", ".markdown", ".MD"}) {
    if (name.ends_with(suffix)) return true;
  }
  return false;
}

// "not valid YAML (line 3) and ..." -> 3
int64_t LineIn(std::string_view shortfall) {
  constexpr std::string_view kWord = "(line ";
  const size_t at = shortfall.find(kWord);
  if (at == shortfall.npos) return 1;
  return std::strtoll(std::string(shortfall.substr(at + kWord.size())).c_str(), nullptr, 10);
}

int64_t CountComments(std::string_view front_matter) {
  int64_t comments = 0;
  for (size_t at = 0; at < front_matter.size();) {
    const size_t end = std::min(front_matter.find('\n', at), front_matter.size());
    if (Trim(front_matter.substr(at, end - at)).starts_with('#')) ++comments;
    at = end + 1;
  }
  return comments;
}

// Returns: what is wrong with the front matter; "" if nothing is.
std::string ReadFrontMatter(VaultFile* file) {
  file->card = nlohmann::json::object();
  const auto front_matter = FindFrontMatter(file->text);
  if (!front_matter) {
    return FindOversizedFrontMatter(file->text) ? ExtractMetadata(file->text).shortfall : "";
  }
  file->body = front_matter->end;
  file->comments = CountComments(front_matter->body);
  const ExtractedMetadata metadata = ExtractMetadata(file->text);
  if (!metadata.shortfall.empty()) return metadata.shortfall;
  if (!metadata.object) return "";
  auto card = ParseJsonObject(*metadata.object);
  if (!card) return "it has too many values";
  file->card = *std::move(card);
  return "";
}

// Calls `use` with each Markdown file of a vault.
Status ForEachFile(const std::string& directory, const ForeignOptions& limits,
                   ForeignMemory* memory, const std::function<void(VaultFile file)>& use) {
  struct stat info {};
  if (::stat(directory.c_str(), &info) != 0) {
    return Status::NotFound("no such file or directory: " + directory,
                            "specify the directory of the vault");
  }
  const std::string root =
      AbsoluteLexicalPath(S_ISDIR(info.st_mode) ? directory : directory + "/..");
  WalkOptions options;
  options.ignores = {"node_modules/"};
  options.ignore_files = false;
  options.base = SourceRoot{"", root};
  options.cancel = limits.cancel;
  const WalkResult walk = FindFiles({directory}, root, options);
  if (walk.cancelled) return Status::Cancelled("interrupted");
  for (const auto* faults : {&walk.skipped, &walk.unreadable}) {
    for (const PathFault& fault : *faults) memory->faults.push_back({fault.path, 0, fault.reason});
  }
  uint64_t bytes = 0;
  for (const FoundFile& found : walk.files) {
    if (limits.cancel->load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
    if (!IsMarkdownName(found.doc_path)) continue;
    VaultFile file;
    file.name = found.doc_path;
    file.file = PrintablePath(JoinPath(directory, found.doc_path));
    if (!S_ISDIR(info.st_mode)) file.file = PrintablePath(directory);
    ++memory->lines;
    auto text = ReadTextFile(FilePathOf(found, root), limits.max_document_bytes);
    if (!text) {
      memory->faults.push_back({file.file, 0, std::string(text.error().message())});
      continue;
    }
    file.text = *std::move(text);
    bytes += file.text.size();
    if (bytes > kMostForeignBytes) {
      return Status::LimitExceeded(directory + ": the notes have more than 1 GiB together",
                                   "import one of its folders after the other");
    }
    if (const std::string fault = ReadFrontMatter(&file); !fault.empty()) {
      memory->faults.push_back({file.file, LineIn(fault), "front matter: " + fault});
      continue;
    }
    use(std::move(file));
  }
  return Status::Ok();
}

}  // namespace

std::string StemOf(std::string_view name) {
  name.remove_prefix(std::min(name.rfind('/') + 1, name.size()));
  return std::string(name.substr(0, name.rfind('.')));
}

std::string WithoutSection(std::string_view text, std::string_view start, std::string_view end) {
  const size_t first = text.rfind(start);
  const size_t last = text.rfind(end);
  if (first == text.npos || last == text.npos || last < first) return std::string(text);
  const size_t line = text.rfind('\n', first);
  const size_t after = text.find('\n', last);
  std::string rest(text.substr(0, line == text.npos ? 0 : line + 1));
  if (after != text.npos) rest += text.substr(after + 1);
  return rest;
}

Result<ForeignMemory> ReadVault(const std::string& directory, const ForeignOptions& options,
                                std::string_view id_name, const NoteOfVaultFile& make) {
  ForeignMemory memory;
  std::map<std::string, std::string> first_of_id;
  const auto add = [&](VaultFile file) {
    CardFields fields(std::move(file.card));
    if (fields.repaired()) ++memory.dropped[kRepairedTexts];
    auto note = make(file, &fields, &memory);
    if (!note) return;
    note->place = {file.file, true, 1};
    KeepRest(fields, &note->draft, &memory.kept);
    if (file.comments > 0) memory.dropped["comments in front matter"] += file.comments;
    const auto [first, is_new] = first_of_id.emplace(note->id, file.file);
    if (!is_new) {
      memory.faults.push_back(
          {file.file, 0, "the " + std::string(id_name) + " is that of " + first->second});
    } else if (const Status fits = CheckCard(*note); !fits.ok()) {
      memory.faults.push_back({file.file, 0, std::string(fits.message())});
    } else {
      memory.notes.push_back(*std::move(note));
    }
  };
  RECALL_TRY(ForEachFile(directory, options, &memory, add));
  std::ranges::sort(memory.notes, {}, &ForeignNote::id);
  return memory;
}

}  // namespace recall
