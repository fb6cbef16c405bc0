// The table of fields. A row says everything that filters, ORDER BY and SELECT know of a field: its
// name, its type, where its values are, the value of a document or chunk, and its documentation.
// The members of FieldInfo that follow from the column are computed when this file is compiled.
//
// Invariants, which are checked at the same time: a row is at the place of its enumerator, and no
// enumerator is without a row.
//
// The code for each type of column:
//
//   column           predicates                      values for ORDER BY and SELECT
//   DocColumn        doc_predicate_scan.cc           its function `value`
//   ComputedColumn   note_predicate_scan.cc          query/ask/rows/computed_fields.cc
//   ChunkColumn      chunk_predicate_scan.cc         its function `value`
//   PartColumn       part_predicate_scan.cc          query/ask/rows/part_fields.cc
//
// scan_method.cc says what each predicate costs.

#include "index/search/filter/field_table.h"

#include <array>
#include <iterator>
#include <span>

#include "index/search/filter/computed_value.h"
#include "index/search/filter/stored_value.h"

namespace recall {
namespace {

struct FieldRow {
  Field field;
  std::string_view name;
  FieldType type;
  FieldColumn column;
  std::string_view meaning;
};

constexpr IndexedTexts kByPath = {IndexedText::kPath, "index on path", "scan of paths"};
constexpr IndexedTexts kByTag = {IndexedText::kTag, "index on tag", "scan of tags"};
constexpr IndexedTexts kBySource = {IndexedText::kSource, "index on source", "scan of sources"};
constexpr std::string_view kCards = "cards of notes";
constexpr std::string_view kActivities = "uses and reviews";
constexpr bool kTimeless = false;
constexpr bool kAsOfTime = true;
constexpr LinksOfDocument kLinkCount = {LinkEnd::kSource, /*counted=*/true};
constexpr LinksOfDocument kBacklinkCount = {LinkEnd::kTarget, /*counted=*/true};
constexpr LinksOfDocument kLinkPaths = {LinkEnd::kSource, /*counted=*/false};
constexpr LinksOfDocument kBacklinkPaths = {LinkEnd::kTarget, /*counted=*/false};
constexpr MetadataValues kOfSessions = {/*of_sessions=*/true};
constexpr MetadataValues kOfAll = {/*of_sessions=*/false};

constexpr FieldRow kFields[] = {
    {Field::kDocId, "id", FieldType::kText, DocColumn{DocIds{}, &InDoc<&DocRow::id>},
     "SHA-256 of path and content, 64 hexadecimal digits"},
    {Field::kDocPath, "path", FieldType::kText, DocColumn{kByPath, &InDoc<&DocRow::path>},
     "relative to the directory of the store, with `/`"},
    {Field::kDocMtime, "mtime", FieldType::kTime, DocColumn{Mtimes{}, &InDoc<&DocRow::mtime>},
     "when the file was last modified"},
    {Field::kDocHash, "hash", FieldType::kText, DocColumn{DocText::kHash, &InDoc<&DocRow::hash>},
     "SHA-256 of the content"},
    {Field::kDocTag, "tag", FieldType::kText, DocColumn{kByTag, &InDoc<&DocRow::tag>},
     "`--tag`; may be missing"},
    {Field::kDocSource, "source", FieldType::kText, DocColumn{kBySource, &InDoc<&DocRow::source>},
     "`--source`; may be missing"},
    {Field::kDocMeta, "meta", FieldType::kText, DocColumn{DocText::kMeta, &InDoc<&DocRow::meta>},
     "all metadata, as JSON text; may be missing"},
    {Field::kDocParser, "parser", FieldType::kText,
     DocColumn{DocText::kParser, &InDoc<&DocRow::parser>},
     "`plain`, `markdown`, `code`, `note`, `session`"},
    {Field::kDocSize, "size", FieldType::kInteger,
     DocColumn{DocNumber::kSize, &InDoc<&DocRow::size>}, "bytes"},
    {Field::kDocTokens, "tokens", FieldType::kInteger,
     DocColumn{DocNumber::kTokens, &InDoc<&DocRow::tokens>},
     "white-space separated words, summed over its chunks: words that two chunks share count "
     "twice"},
    {Field::kDocChunks, "chunks", FieldType::kInteger,
     DocColumn{DocNumber::kChunks, &InDoc<&DocRow::chunk_count>}, "number of chunks"},
    {Field::kDocOrigin, "origin", FieldType::kText,
     DocColumn{DocText::kOrigin, &InDoc<&DocRow::origin>},
     "where the text came from: `file`, `line` (of `--jsonl`), `member` (of an archive), `saved` "
     "(a note without a file), `capture` (a transcript), `import`"},
    {Field::kDocLang, "lang", FieldType::kText, DocColumn{DocText::kLanguage, &LanguageValueOf},
     "its language (ISO 639-1), as `de`; missing if it has none"},
    {Field::kDocKind, "kind", FieldType::kText, ComputedColumn{DocumentKind{}},
     "`note`, `session` or `file`. This and the following fields are [computed](#computed-fields)"},
    {Field::kDocStatus, "status", FieldType::kText,
     ComputedColumn{NoteFact{&StatusValue, kTimeless, kCards}},
     "of a note: `active`, unless its card says another"},
    {Field::kDocLifecycle, "lifecycle", FieldType::kText,
     ComputedColumn{NoteFact{&LifecycleValue, kAsOfTime, kCards}},
     "of a note: `fresh`, `aging`, `stale`, `expired` or `obsolete` ([notes.md](notes.md#life))"},
    {Field::kDocUses, "uses", FieldType::kInteger,
     ComputedColumn{NoteFact{&UsesValue, kAsOfTime, kActivities}}, "recorded uses"},
    {Field::kDocUsedAt, "used_at", FieldType::kTime,
     ComputedColumn{NoteFact{&UsedAtValue, kAsOfTime, kActivities}},
     "the last use; may be missing"},
    {Field::kDocConsolidation, "consolidation", FieldType::kReal,
     ComputedColumn{NoteFact{&ConsolidationValue, kAsOfTime, kActivities}},
     "from 0 to 1 ([notes.md](notes.md#use-and-review))"},
    {Field::kDocDue, "due", FieldType::kTime,
     ComputedColumn{NoteFact{&DueValue, kAsOfTime, kActivities}},
     "of the next review; missing if none was scheduled, as `doc.interval` and `doc.easiness` are"},
    {Field::kDocInterval, "interval", FieldType::kInteger,
     ComputedColumn{NoteFact{&IntervalValue, kAsOfTime, kActivities}},
     "days between the last review and the next"},
    {Field::kDocEasiness, "easiness", FieldType::kReal,
     ComputedColumn{NoteFact{&EasinessValue, kAsOfTime, kActivities}}, "from 1.3 on"},
    {Field::kDocReviews, "reviews", FieldType::kInteger,
     ComputedColumn{NoteFact{&ReviewsValue, kAsOfTime, kActivities}}, "rated reviews"},
    {Field::kDocLinks, "links", FieldType::kInteger, ComputedColumn{kLinkCount},
     "links that leave the document"},
    {Field::kDocBacklinks, "backlinks", FieldType::kInteger, ComputedColumn{kBacklinkCount},
     "links that reach it"},
    {Field::kDocLink, "link", FieldType::kText, ComputedColumn{kLinkPaths},
     "`doc.link.REL`: the paths that links of the relation REL reach; `any` is every relation"},
    {Field::kDocBacklink, "backlink", FieldType::kText, ComputedColumn{kBacklinkPaths},
     "`doc.backlink.REL`: the paths that such links come from"},
    {Field::kDocSession, "session", FieldType::kDynamic, DocColumn{kOfSessions, &SessionValueOf},
     "`doc.session.KEY`: a value of the metadata of a session, such as `agent` or `files`; missing "
     "for other documents ([sessions.md](sessions.md#metadata))"},
    {Field::kChunkId, "id", FieldType::kText, ChunkColumn{ChunkIds{}, &ChunkIdOf},
     "SHA-256 of document and offset"},
    {Field::kChunkDocId, "doc_id", FieldType::kText, ChunkColumn{ChunkDocIds{}, &ChunkDocIdOf},
     "`doc.id` of its document"},
    {Field::kChunkOffset, "offset", FieldType::kInteger,
     ChunkColumn{ChunkNumber::kOffset, &InChunk<&ChunkRow::offset>},
     "index of its first word in the document"},
    {Field::kChunkTokens, "tokens", FieldType::kInteger,
     ChunkColumn{ChunkNumber::kTokens, &InChunk<&ChunkRow::tokens>}, "words"},
    {Field::kChunkText, "text", FieldType::kText, ChunkColumn{ChunkTexts{}, &NotInRow},
     "the bytes of the chunk"},
    {Field::kChunkHeading, "heading", FieldType::kText,
     ChunkColumn{ChunkHeadings{}, &InChunk<&ChunkRow::heading>},
     "`Guide > Install`; empty if there is none"},
    {Field::kChunkStartByte, "start_byte", FieldType::kInteger,
     ChunkColumn{ChunkNumber::kStartByte, &InChunk<&ChunkRow::start_byte>},
     "of the document, from 0"},
    {Field::kChunkEndByte, "end_byte", FieldType::kInteger,
     ChunkColumn{ChunkNumber::kEndByte, &InChunk<&ChunkRow::end_byte>}, "exclusive"},
    {Field::kChunkStartLine, "start_line", FieldType::kInteger,
     ChunkColumn{ChunkNumber::kStartLine, &InChunk<&ChunkRow::start_line>}, "from 1"},
    {Field::kChunkEndLine, "end_line", FieldType::kInteger,
     ChunkColumn{ChunkNumber::kEndLine, &InChunk<&ChunkRow::end_line>}, "inclusive"},
    {Field::kChunkTurn, "turn", FieldType::kInteger, ChunkColumn{TurnPart::kNumber, &TurnNumberOf},
     "of a session: the number of the turn. This and the next two are missing for other documents"},
    {Field::kChunkRole, "role", FieldType::kText, ChunkColumn{TurnPart::kRole, &TurnRoleOf},
     "who said it: `human` or `assistant`"},
    {Field::kChunkAt, "at", FieldType::kTime, ChunkColumn{TurnPart::kTime, &TurnTimeOf},
     "when; missing if the transcript does not say"},
    {Field::kChunkSymbol, "symbol", FieldType::kText, PartColumn{SymbolText::kName},
     "of source code: the names of the functions, classes and other definitions in the chunk. This "
     "and the following may have [several values, or none](#definitions-and-places)"},
    {Field::kChunkKind, "kind", FieldType::kText, PartColumn{SymbolText::kKind},
     "what they are: `namespace`, `class`, `struct`, `union`, `enum`, `interface`, `trait`, "
     "`type`, `function`, `method`, `macro`, `constant`, `variable`"},
    {Field::kChunkPage, "page", FieldType::kInteger, PartColumn{LocatorKind::kPage},
     "of a [document of another format](formats.md): the pages of a PDF that the text is from"},
    {Field::kChunkSlide, "slide", FieldType::kInteger, PartColumn{LocatorKind::kSlide},
     "the slides of a presentation"},
    {Field::kChunkSheet, "sheet", FieldType::kText, PartColumn{LocatorKind::kSheet},
     "the names of the sheets of a spreadsheet"},
    {Field::kChunkCell, "cell", FieldType::kInteger, PartColumn{LocatorKind::kCell},
     "the cells of a notebook, from 1"},
    {Field::kDocMetaKey, "meta", FieldType::kDynamic, DocColumn{kOfAll, &MetadataValueOf},
     "one value of the metadata; `doc.meta.a.b` is `b` within `a`; missing if there is no such "
     "key"},
};
static_assert(std::size(kFields) == kFieldCount, "kFields must have a row for each enumerator");

constexpr bool HasValue(const FieldColumn& column) {
  const auto* doc = std::get_if<DocColumn>(&column);
  const auto* chunk = std::get_if<ChunkColumn>(&column);
  return !(doc && !doc->value) && !(chunk && !chunk->value);
}

constexpr bool IsComplete() {
  for (size_t i = 0; i < kFieldCount; ++i) {
    const FieldRow& row = kFields[i];
    if (static_cast<size_t>(row.field) != i || row.name.empty() || row.meaning.empty())
      return false;
    if (!HasValue(row.column)) return false;
  }
  return true;
}
static_assert(IsComplete(), "the rows of kFields must be whole, and in the order of Field");

// ---- What follows from a column -----------------------------------------------------------------

constexpr FieldTable TableOf(const FieldColumn& column) {
  const bool is_doc =
      std::holds_alternative<DocColumn>(column) || std::holds_alternative<ComputedColumn>(column);
  return is_doc ? FieldTable::kDoc : FieldTable::kChunk;
}

constexpr FieldSource SourceOf(const FieldColumn& column) {
  if (std::holds_alternative<ComputedColumn>(column)) return FieldSource::kComputed;
  if (const auto* parts = std::get_if<PartColumn>(&column)) {
    const bool of_symbols = std::holds_alternative<SymbolText>(parts->values);
    return of_symbols ? FieldSource::kSymbol : FieldSource::kPlace;
  }
  if (const auto* chunk = std::get_if<ChunkColumn>(&column)) {
    const bool of_turns = std::holds_alternative<TurnPart>(chunk->values);
    return of_turns ? FieldSource::kSession : FieldSource::kStored;
  }
  const auto* metadata = std::get_if<MetadataValues>(&std::get<DocColumn>(column).values);
  return metadata && metadata->of_sessions ? FieldSource::kSession : FieldSource::kStored;
}

constexpr FieldKeys KeysOf(const FieldColumn& column) {
  if (const auto* computed = std::get_if<ComputedColumn>(&column)) {
    const auto* links = std::get_if<LinksOfDocument>(&computed->values);
    return links && !links->counted ? FieldKeys::kRelation : FieldKeys::kNone;
  }
  const auto* doc = std::get_if<DocColumn>(&column);
  const bool has_keys = doc && std::holds_alternative<MetadataValues>(doc->values);
  return has_keys ? FieldKeys::kMetadata : FieldKeys::kNone;
}

constexpr bool DependsOnTime(const FieldColumn& column) {
  const auto* computed = std::get_if<ComputedColumn>(&column);
  const auto* fact = computed ? std::get_if<NoteFact>(&computed->values) : nullptr;
  return fact && fact->depends_on_time;
}

constexpr std::array<FieldInfo, kFieldCount> MakeInfos() {
  std::array<FieldInfo, kFieldCount> infos{};
  for (size_t i = 0; i < kFieldCount; ++i) {
    const FieldRow& row = kFields[i];
    infos[i] = {.field = row.field,
                .name = row.name,
                .table = TableOf(row.column),
                .type = row.type,
                .source = SourceOf(row.column),
                .keys = KeysOf(row.column),
                .depends_on_time = DependsOnTime(row.column),
                .meaning = row.meaning};
  }
  return infos;
}
constexpr std::array<FieldInfo, kFieldCount> kInfos = MakeInfos();

}  // namespace

std::span<const FieldInfo> AllFields() {
  static_assert(kFields[kFieldCount - 1].field == Field::kDocMetaKey);
  return std::span(kInfos).first(kFieldCount - 1);
}

const FieldInfo& InfoOf(Field field) { return kInfos[static_cast<size_t>(field)]; }

const FieldColumn& FieldColumnOf(Field field) { return kFields[static_cast<size_t>(field)].column; }

SortValue SortValueOf(const FieldRef& field, const DocRow& doc, const ChunkRow* chunk) {
  const FieldColumn& column = FieldColumnOf(field.field);
  if (const auto* of_doc = std::get_if<DocColumn>(&column)) {
    return of_doc->value(doc, field.meta_path);
  }
  const auto* of_chunk = std::get_if<ChunkColumn>(&column);
  return of_chunk && chunk ? of_chunk->value(doc, *chunk) : SortValue();
}

}  // namespace recall
