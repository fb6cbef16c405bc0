#include "query/memory/sharing/note_line.h"

#include <algorithm>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/base/text/utf8.h"
#include "index/write/ingest/text_file.h"
#include "storage/base/json_writer.h"
#include "storage/notes/note_card.h"

namespace recall {
namespace {

enum NoteField : size_t {
  kNoteLineType,
  kNoteLinePath,
  kNoteLineMtime,
  kNoteLineHash,
  kNoteLineReplaces,
  kNoteLineText
};
constexpr FieldSpec kNoteLineFields[] = {{"type"}, {"path"},           {"mtime"},
                                         {"hash"}, {"replaces", true}, {"text"}};
constexpr std::string_view kNoteType = "note";
constexpr std::string_view kRemovalType = "removed";
constexpr size_t kMostNotePathBytes = 1024;

void SortDigests(std::vector<Digest>* digests) {
  std::ranges::sort(*digests);
  const auto repeated = std::ranges::unique(*digests);
  digests->erase(repeated.begin(), repeated.end());
}

Result<std::vector<Digest>> ReadReplaced(const LineRef& line,
                                         const std::optional<nlohmann::json>& list) {
  std::vector<Digest> replaced;
  if (!list) return replaced;
  if (list->size() > kMostReplaced) {
    return Fail(LineFault(line, "the note replaces more than 1,000 versions"));
  }
  for (const nlohmann::json& item : *list) {
    const auto bytes =
        item.is_string() ? FromHex(item.get_ref<const std::string&>()) : std::nullopt;
    Digest digest{};
    if (!bytes || bytes->size() != digest.size()) {
      return Fail(LineFault(line, "'replaces' has what is no hash"));
    }
    std::ranges::copy(*bytes, digest.begin());
    replaced.push_back(digest);
  }
  return replaced;
}

}  // namespace

Digest SharedNoteVersion::Id() const {
  std::string bytes(is_removal ? kRemovalType : kNoteType);
  bytes += '\n' + path + '\n' + ToHex(hash);
  for (const Digest& digest : replaces) bytes += '\n' + ToHex(digest);
  return Sha256(bytes);
}

std::optional<UnixNanos> LastChangeOf(std::string_view meta, std::optional<UnixNanos> mtime) {
  return std::max(ReadNoteCard(meta, mtime).touched, mtime);  // unset is the smallest
}

SharedNoteVersion NoteVersion(std::string path, std::string text, std::optional<UnixNanos> mtime,
                              std::vector<Digest> replaces) {
  SharedNoteVersion version{.path = std::move(path),
                            .text = std::move(text),
                            .mtime = mtime,
                            .replaces = std::move(replaces)};
  version.hash = Sha256(version.text);
  SortDigests(&version.replaces);
  const ExtractedMetadata card = ExtractMetadata(version.text);
  version.changed = LastChangeOf(card.object.value_or(""), mtime);
  return version;
}

SharedNoteVersion NoteRemoval(std::string path, std::vector<Digest> replaces) {
  SharedNoteVersion version{
      .path = std::move(path), .is_removal = true, .replaces = std::move(replaces)};
  SortDigests(&version.replaces);
  return version;
}

bool IsSharedNotePath(std::string_view path) {
  const bool is_plain = path.size() <= kMostNotePathBytes && path.ends_with(".md") &&
                        path.front() != '/' && IsNormalPath(path) && IsValidUtf8(path);
  if (!is_plain || path.front() == '.' || path.find("/.") != path.npos) return false;
  return std::ranges::none_of(
      path, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\'; });
}

std::string WriteNoteLine(const SharedNoteVersion& version) {
  std::string line;
  JsonWriter json(&line);
  json.BeginObject();
  json.Field("type", version.is_removal ? kRemovalType : kNoteType);
  json.Field("path", version.path);
  if (!version.is_removal) {
    version.mtime ? json.Field("mtime", FormatRfc3339(*version.mtime))
                  : json.Field("mtime", nullptr);
    json.Field("size", version.text.size());
    json.Field("hash", ToHex(version.hash));
  }
  json.BeginArray("replaces");
  for (const Digest& digest : version.replaces) json.String(ToHex(digest));
  json.EndArray();
  if (!version.is_removal) json.Field("text", version.text);
  json.EndObject();
  json.EndLine();
  return line;
}

Result<std::optional<SharedNoteVersion>> ReadNoteLine(const LineRef& line) {
  RECALL_ASSIGN(JsonRecord record, JsonRecord::Parse(line, kNoteLineFields));
  const std::string type = record.Text(kNoteLineType);
  RECALL_TRY(record.status());
  if (type != kNoteType && type != kRemovalType) return std::nullopt;
  std::string path = record.Text(kNoteLinePath);
  const auto list = record.List(kNoteLineReplaces);
  RECALL_TRY(record.status());
  if (!IsSharedNotePath(path)) return Fail(LineFault(line, "the path is not that of a note"));
  RECALL_ASSIGN(std::vector<Digest> replaces, ReadReplaced(line, list));
  if (type == kRemovalType) return NoteRemoval(std::move(path), std::move(replaces));
  const auto time = record.TextOrNull(kNoteLineMtime);
  const Digest hash = record.Hash(kNoteLineHash);
  std::string text = record.Text(kNoteLineText);
  RECALL_TRY(record.status());
  const auto mtime = time ? ParseRfc3339(*time) : std::nullopt;
  if (time && !mtime) return Fail(LineFault(line, "'mtime' is no time"));
  if (text.size() > kMostSharedNoteBytes || !IsValidUtf8(text)) {
    return Fail(LineFault(line, "the note is not UTF-8 text of at most 16 MiB"));
  }
  if (hash != Sha256(text)) return Fail(LineFault(line, "the hash is not that of the text"));
  return NoteVersion(std::move(path), std::move(text), mtime, std::move(replaces));
}

}  // namespace recall
