#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The fields of filters, ORDER BY and SELECT (docs/rql.md, "Fields").
enum class Field : uint8_t {
  kDocId,
  kDocPath,
  kDocMtime,
  kDocHash,
  kDocTag,
  kDocSource,
  kDocMeta,     // all metadata, as JSON text
  kDocMetaKey,  // one value of it, selected by FieldRef::meta_path
  kDocParser,
  kDocSize,
  kDocTokens,
  kDocChunks,
  kDocOrigin,
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
  kDocLink,      // paths that links of one relation, FieldRef::meta_path[0], reach
  kDocBacklink,  // paths that such links come from
  kDocSession,   // one value of the metadata of a session, selected by FieldRef::meta_path
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
  kChunkTurn,  // of a session: the number of the turn, who said it, and when
  kChunkRole,
  kChunkAt,
  kChunkSymbol,  // of source code: names and kinds of the definitions that are in the chunk
  kChunkKind,
  kChunkPage,  // of extracted texts: the places in the original file
  kChunkSlide,
  kChunkSheet,
  kChunkCell,
};

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

struct FieldInfo {
  Field field;
  std::string_view name;  // "path"
  FieldTable table;
  FieldType type;
  FieldSource source = FieldSource::kStored;

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
  // kDocMetaKey, kDocSession: keys from the outermost in. kDocLink, kDocBacklink: a relation.
  std::vector<std::string> meta_path;

  bool operator==(const FieldRef&) const = default;
};

// The name in RQL: "doc.path", "doc.meta.author", "doc.meta.\"two words\"".
std::string FieldName(const FieldRef& field);

// The size of the character at `at` if a key may contain it without quotes: a letter or mark of any
// script, a digit, '_', or a '-' before one of these. 0 otherwise, and at the end.
size_t NameCharacterSize(std::string_view text, size_t at);

}  // namespace recall
