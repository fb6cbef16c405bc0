#include "cli/show/output/field_values.h"

#include "query/memory/sessions/session_view.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <type_traits>
#include <variant>

#include "query/ask/answer/text_reference.h"
#include "storage/base/overloaded.h"

namespace recall {
namespace {

// Where an answer has the value of a field.
struct Metadata {};         // DocView::meta_json
struct SessionMetadata {};  // the same, of a session

using ViewMember = std::variant<
    Metadata, SessionMetadata, std::string DocView::*, std::optional<std::string> DocView::*,
    int64_t DocView::*, std::vector<ComputedValue> DocView::*, std::string ChunkView::*,
    uint64_t ChunkView::*, uint32_t ChunkView::*, std::vector<ComputedValue> ChunkView::*,
    uint32_t TurnLabel::*, std::string TurnLabel::*>;

struct FieldOfView {
  Field field;
  ViewMember member;
};
constexpr FieldOfView kViewMembers[] = {
    {Field::kDocId, &DocView::id},
    {Field::kDocPath, &DocView::path},
    {Field::kDocMtime, &DocView::mtime},
    {Field::kDocHash, &DocView::hash},
    {Field::kDocTag, &DocView::tag},
    {Field::kDocSource, &DocView::source},
    {Field::kDocMeta, Metadata{}},
    {Field::kDocParser, &DocView::parser},
    {Field::kDocSize, &DocView::size},
    {Field::kDocTokens, &DocView::tokens},
    {Field::kDocChunks, &DocView::chunks},
    {Field::kDocOrigin, &DocView::origin},
    {Field::kDocLang, &DocView::lang},
    {Field::kDocKind, &DocView::computed},
    {Field::kDocStatus, &DocView::computed},
    {Field::kDocLifecycle, &DocView::computed},
    {Field::kDocUses, &DocView::computed},
    {Field::kDocUsedAt, &DocView::computed},
    {Field::kDocConsolidation, &DocView::computed},
    {Field::kDocDue, &DocView::computed},
    {Field::kDocInterval, &DocView::computed},
    {Field::kDocEasiness, &DocView::computed},
    {Field::kDocReviews, &DocView::computed},
    {Field::kDocLinks, &DocView::computed},
    {Field::kDocBacklinks, &DocView::computed},
    {Field::kDocLink, &DocView::computed},
    {Field::kDocBacklink, &DocView::computed},
    {Field::kDocSession, SessionMetadata{}},
    {Field::kChunkId, &ChunkView::id},
    {Field::kChunkDocId, &ChunkView::doc_id},
    {Field::kChunkOffset, &ChunkView::offset},
    {Field::kChunkTokens, &ChunkView::tokens},
    {Field::kChunkText, &ChunkView::text},
    {Field::kChunkHeading, &ChunkView::heading},
    {Field::kChunkStartByte, &ChunkView::start_byte},
    {Field::kChunkEndByte, &ChunkView::end_byte},
    {Field::kChunkStartLine, &ChunkView::start_line},
    {Field::kChunkEndLine, &ChunkView::end_line},
    {Field::kChunkTurn, &TurnLabel::turn},
    {Field::kChunkRole, &TurnLabel::role},
    {Field::kChunkAt, &TurnLabel::at},
    {Field::kChunkSymbol, &ChunkView::parts},
    {Field::kChunkKind, &ChunkView::parts},
    {Field::kChunkPage, &ChunkView::parts},
    {Field::kChunkSlide, &ChunkView::parts},
    {Field::kChunkSheet, &ChunkView::parts},
    {Field::kChunkCell, &ChunkView::parts},
    {Field::kDocMetaKey, Metadata{}},
};
static_assert(std::size(kViewMembers) == kFieldCount, "a field has no member of a view");

constexpr bool IsInOrderOfFields() {
  for (size_t i = 0; i < kFieldCount; ++i) {
    if (static_cast<size_t>(kViewMembers[i].field) != i) return false;
  }
  return true;
}
static_assert(IsInOrderOfFields());

const ViewMember& MemberOf(Field field) { return kViewMembers[static_cast<size_t>(field)].member; }

// Convert a value to the text of a table cell.
void AssignText(const std::string& value, std::string* text) { *text = value; }
void AssignText(const std::optional<std::string>& value, std::string* text) {
  *text = value.value_or("");
}
void AssignText(std::nullptr_t, std::string* text) { text->clear(); }
void AssignText(std::integral auto value, std::string* text) { *text = std::to_string(value); }

bool StartsWith(const std::vector<std::string>& path, const std::vector<std::string>& prefix) {
  return prefix.size() <= path.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

// Returns: the selected keys of a field (of metadata, or relations of links), in the order of their
// paths. A key within another selected value is omitted, because it is printed with that value.
std::vector<FieldRef> SelectedKeys(Field field, const std::vector<QueryColumn>& columns) {
  std::vector<FieldRef> keys;
  for (const QueryColumn& column : columns) {
    if (!column.is_score && column.field.field == field) keys.push_back(column.field);
  }
  std::ranges::sort(keys, {}, &FieldRef::meta_path);
  std::vector<FieldRef> outermost;
  for (FieldRef& key : keys) {
    const bool within = !outermost.empty() && StartsWith(key.meta_path, outermost.back().meta_path);
    if (!within) outermost.push_back(std::move(key));
  }
  return outermost;
}

// Writes the selected keys, each within the objects of its path.
void WriteSelectedKeys(Field field, const std::vector<QueryColumn>& columns, FieldValues& values,
                       JsonWriter& json) {
  json.BeginObject();
  std::vector<std::string> open;  // the names of the open objects, outermost first
  for (const FieldRef& key : SelectedKeys(field, columns)) {
    const std::span<const std::string> objects(key.meta_path.begin(), key.meta_path.end() - 1);
    size_t shared = 0;
    while (shared < std::min(open.size(), objects.size()) && open[shared] == objects[shared]) {
      ++shared;
    }
    for (size_t i = shared; i < open.size(); ++i) json.EndObject();
    for (const std::string& name : objects.subspan(shared)) json.BeginObject(name);
    open.assign(objects.begin(), objects.end());
    json.Key(key.meta_path.back());
    values.Write(key, json);
  }
  for (size_t i = 0; i < open.size(); ++i) json.EndObject();
  json.EndObject();
}

// The selected fields of one table, written as one object; nothing if none of its fields is
// selected.
class SelectedFields final {
 public:
  SelectedFields(FieldTable table, const std::vector<QueryColumn>& columns, FieldValues& values)
      : table_(table), columns_(columns), values_(values) {}

  bool Any() const {
    return std::ranges::any_of(AllFields(), [&](const FieldInfo& info) { return Has(info); });
  }

  void Write(JsonWriter& json) const {
    for (const FieldInfo& info : AllFields()) {
      if (!Has(info)) continue;
      json.Key(info.name);
      if (info.keys != FieldKeys::kNone) {
        WriteSelectedKeys(info.field, columns_, values_, json);
      } else if (Selects(info.field)) {
        values_.Write({info.field, {}}, json);
      } else {
        WriteSelectedKeys(Field::kDocMetaKey, columns_, values_, json);
      }
    }
  }

 private:
  bool Selects(Field field) const {
    return std::ranges::any_of(columns_, [&](const QueryColumn& column) {
      return !column.is_score && column.field.field == field;
    });
  }

  bool Has(const FieldInfo& info) const {
    if (info.table != table_) return false;
    if (info.field == Field::kDocLang) return Selects(Field::kDocLang) && values_.has_lang();
    if (info.field != Field::kDocMeta) return Selects(info.field);
    return Selects(Field::kDocMeta) ? values_.has_meta() : Selects(Field::kDocMetaKey);
  }

  FieldTable table_;
  const std::vector<QueryColumn>& columns_;
  FieldValues& values_;
};

std::vector<QueryColumn> AllColumns(FieldTable table) {
  std::vector<QueryColumn> columns;
  for (const FieldInfo& info : AllFields()) {
    if (info.table == table && info.stored())
      columns.push_back({false, {info.field, {}}, std::string(info.name)});
  }
  return columns;
}

// `values`: those that were asked for.
MetadataTree TreeOf(const std::vector<ComputedValue>& values, const FieldRef& field) {
  const auto found = std::ranges::find(values, field, &ComputedValue::field);
  return MetadataTree(found == values.end() ? std::nullopt : std::optional(found->json));
}

}  // namespace

const MetadataTree& FieldValues::Meta() {
  if (!meta_) meta_.emplace(doc_.meta_json);
  return *meta_;
}

const MetadataTree& FieldValues::SessionMeta() {
  static const MetadataTree kNone(std::nullopt);
  return IsSession(doc_) ? Meta() : kNone;
}

// Calls `visit` with the value, or for JSON with a tree and the keys in it.
template <typename Visit>
void FieldValues::VisitValue(const FieldRef& field, const Visit& visit) {
  using Members = std::vector<ComputedValue>;
  const std::vector<std::string> whole;
  std::visit(
      Overloaded{[&](Metadata) { visit(Meta(), field.meta_path); },
                 [&](SessionMetadata) { visit(SessionMeta(), field.meta_path); },
                 [&](Members DocView::*member) { visit(TreeOf(doc_.*member, field), whole); },
                 [&](Members ChunkView::*member) {
                   visit(chunk_ ? TreeOf(chunk_->*member, field) : MetadataTree(std::nullopt),
                         whole);
                 },
                 [&]<typename Value>(Value DocView::*member) { visit(doc_.*member); },
                 [&]<typename Value>(Value ChunkView::*member) {
                   chunk_ ? visit(chunk_->*member) : visit(nullptr);
                 },
                 [&]<typename Value>(Value TurnLabel::*member) {
                   const auto turn = chunk_ ? TurnOfHeading(chunk_->heading) : std::nullopt;
                   if (!turn) return visit(nullptr);
                   if constexpr (std::is_same_v<Value, std::string>) {
                     if ((*turn.*member).empty()) return visit(nullptr);
                   }
                   visit(*turn.*member);
                 }},
      MemberOf(field.field));
}

void FieldValues::Write(const FieldRef& field, JsonWriter& json) {
  VisitValue(field, Overloaded{[&](const auto& value) { json.Value(value); },
                               [&](const MetadataTree& tree, const std::vector<std::string>& path) {
                                 tree.Write(path, json);
                               }});
}

std::string FieldValues::Text(const FieldRef& field) {
  std::string text;
  VisitValue(field, Overloaded{[&](const auto& value) { AssignText(value, &text); },
                               [&](const MetadataTree& tree, const std::vector<std::string>& path) {
                                 text = tree.Text(path);
                               }});
  return text;
}

std::string CitationOf(const DocView& doc, const ChunkView* chunk) {
  if (!chunk) return ExactCitation(doc.path, doc.hash, std::nullopt);
  if (chunk->lines_hash.empty()) return "";
  return ExactCitation(doc.path, chunk->lines_hash, LineRange{chunk->start_line, chunk->end_line});
}

void WriteFields(const DocView& doc, JsonWriter& json) {
  static const std::vector<QueryColumn> kColumns = AllColumns(FieldTable::kDoc);
  FieldValues values(doc);
  SelectedFields(FieldTable::kDoc, kColumns, values).Write(json);
  WriteSourceState(doc, json);
}

void WriteSourceState(const DocView& doc, JsonWriter& json) {
  const std::string_view state = NameOfState(doc.source_state);
  if (!state.empty()) json.Field("source_state", state);
  if (!doc.note_state.empty()) json.Field("note_state", doc.note_state);
}

void WriteFields(const ChunkView& chunk, JsonWriter& json) {
  static const std::vector<QueryColumn> kColumns = AllColumns(FieldTable::kChunk);
  const DocView no_doc;
  FieldValues values(no_doc, &chunk);
  SelectedFields(FieldTable::kChunk, kColumns, values).Write(json);
  WriteLocator(chunk, json);
}

void WriteLocator(const ChunkView& chunk, JsonWriter& json) {
  if (!chunk.locator) return;
  json.Object("locator", [&] {
    json.Field("kind", chunk.locator->kind);
    json.Field("from", chunk.locator->from);
    json.Field("to", chunk.locator->to);
    json.Field("text", chunk.locator->text);
  });
}

void WriteFields(const std::vector<QueryColumn>& columns, const QueryRow& row, JsonWriter& json) {
  FieldValues values(row.doc, row.chunk ? &*row.chunk : nullptr);
  if (std::ranges::any_of(columns, &QueryColumn::is_score)) json.Field("score", row.score);
  const SelectedFields doc(FieldTable::kDoc, columns, values);
  if (doc.Any()) json.Object("doc", [&] { doc.Write(json); });
  const SelectedFields chunk(FieldTable::kChunk, columns, values);
  if (!values.has_chunk() || !chunk.Any()) return;
  json.Object("chunk", [&] {
    chunk.Write(json);
    WriteLocator(*row.chunk, json);
  });
}

}  // namespace recall
