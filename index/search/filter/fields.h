#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The fields of filters, ORDER BY and SELECT, in the order in which answers print them. What each
// one is: field_table.cc, and docs/rql.md, "Fields".
enum class Field : uint8_t {
  kDocId,
  kDocPath,
  kDocMtime,
  kDocHash,
  kDocTag,
  kDocSource,
  kDocMeta,
  kDocParser,
  kDocSize,
  kDocTokens,
  kDocChunks,
  kDocOrigin,
  kDocLang,
  kDocKind,
  kDocStatus,
  kDocLifecycle,
  kDocUses,
  kDocUsedAt,
  kDocConsolidation,
  kDocDue,
  kDocInterval,
  kDocEasiness,
  kDocReviews,
  kDocLinks,
  kDocBacklinks,
  kDocLink,
  kDocBacklink,
  kDocSession,
  kChunkId,
  kChunkDocId,
  kChunkOffset,
  kChunkTokens,
  kChunkText,
  kChunkHeading,
  kChunkStartByte,
  kChunkEndByte,
  kChunkStartLine,
  kChunkEndLine,
  kChunkTurn,
  kChunkRole,
  kChunkAt,
  kChunkSymbol,
  kChunkKind,
  kChunkPage,
  kChunkSlide,
  kChunkSheet,
  kChunkCell,
  kDocMetaKey,  // one value of the metadata. It is no column of its own, so it has no place in
                // answers
};
inline constexpr size_t kFieldCount = static_cast<size_t>(Field::kDocMetaKey) + 1;

enum class FieldTable : uint8_t { kDoc, kChunk };

enum class FieldType : uint8_t {
  kText,     // compared byte by byte, which for UTF-8 is the order of code points
  kInteger,  // not negative
  kReal,     // a number
  kTime,     // nanoseconds; written as RFC 3339
  kDynamic,  // metadata: text, number, boolean, date, or a list of these
};

// Where the values of a field come from. Only stored fields are a part of `*`, and of documents and
// chunks that are printed as a whole.
enum class FieldSource : uint8_t {
  kStored,
  kComputed,  // of notes, links, uses and reviews, as of the reference time of the query
  kSession,   // of the metadata of a session, or the heading of a turn; else missing
  kSymbol,    // of the symbols of a chunk: none, one or several
  kPlace,     // of the places that the text of a chunk was extracted from: none, one or several
};

// What FieldRef::meta_path selects of a field.
enum class FieldKeys : uint8_t {
  kNone,
  kMetadata,  // keys of metadata, from the outermost in; at least one
  kRelation,  // one relation of links
};

struct FieldInfo {
  Field field;
  std::string_view name;  // "path"
  FieldTable table;
  FieldType type;
  FieldSource source;
  FieldKeys keys;
  bool depends_on_time;      // whether the value may be another one as of another time
  std::string_view meaning;  // for docs/rql.md, which a test compares with this

  bool stored() const { return source == FieldSource::kStored; }
  bool computed() const { return source == FieldSource::kComputed; }
  // Whether a chunk may have several values (index/search/filter/part_value.h).
  bool of_parts() const { return source == FieldSource::kSymbol || source == FieldSource::kPlace; }
};

// All fields but kDocMetaKey, in the order in which answers print them.
std::span<const FieldInfo> AllFields();
const FieldInfo& InfoOf(Field field);
// The key of the metadata that a field of the card of a note, or of a document whose text was
// extracted, has: "recall_when" for doc.triggers, "format" for doc.format; "" if the name is none.
std::string_view CardKey(std::string_view name);
// A relation for kDocLink and kDocBacklink that stands for all relations.
inline constexpr std::string_view kAnyRelation = "any";
// The field with that name, case-sensitive; null if there is none.
const FieldInfo* FindField(FieldTable table, std::string_view name);

struct FieldRef {
  Field field = Field::kDocPath;
  std::vector<std::string> meta_path;  // as FieldInfo::keys says; empty if that is kNone

  bool operator==(const FieldRef&) const = default;
};

// The name in RQL: "doc.path", "doc.meta.author", "doc.meta.\"two words\"".
std::string FieldName(const FieldRef& field);

// The size of the character at `at` if a key may contain it without quotes: a letter or mark of any
// script, a digit, '_', or a '-' before one of these. 0 otherwise, and at the end.
size_t NameCharacterSize(std::string_view text, size_t at);

}  // namespace recall
