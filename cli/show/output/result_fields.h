#pragma once

// Results reduced to chosen fields: --fields and --lean.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/types/row_views.h"
#include "storage/base/json_writer.h"
#include "storage/base/result.h"

namespace recall {

// One result, as commands know it. All pointers must outlive the object.
struct ResultView {
  const DocView* doc = nullptr;
  const ChunkView* chunk = nullptr;  // null: the result is a document
  std::optional<double> score;       // unset: nothing was ranked
  const Snippet* snippet = nullptr;  // null: no snippet was cut
  // The bytes of the text of a context that are those of this piece.
  std::optional<ByteRange> in_context;
};

enum class ResultForm {
  kFull,  // every field, null if there is no such value; scores as everywhere in JSON
  kLean,  // fields that have a value; scores as LeanScore has them
};

// A list of fields: names of RQL (`doc.path`, `chunk.text`, `doc.meta.author`, `score`) and short
// names for what a reader of results needs:
//
//   path     as doc.path                   snippet  the text of the snippet
//   lines    "9-17"                        heading  as chunk.heading
//   hash     12 digits of the lines' hash  text     as chunk.text
//   cite     "path@hash:9-17"              id       12 digits of the id of the chunk or document
//   bytes    "310-702", of a piece within context.text
//
// A document that was not found by a chunk has `cite` "path@hash", with the hash of its text.
class ResultFields final {
 public:
  // `list`: names separated by commas; white space around them is ignored. Errors: InvalidArgument
  // for an unknown or repeated name and for an empty list.
  static Result<ResultFields> Parse(std::string_view list);

  bool needs_hash() const;
  bool needs_text() const;
  bool needs_snippet() const;
  // The computed fields, which requests have to name.
  std::vector<FieldRef> computed() const;

  // Writes a member for each field, named as in the list.
  void Write(const ResultView& result, ResultForm form, JsonWriter& json) const;
  // Returns: the values separated by tabs, escaped as cells of `query` are, and a newline.
  std::string Row(const ResultView& result) const;

 private:
  enum class Kind { kScore, kLines, kHash, kCite, kId, kSnippet, kBytes, kPlace, kField };
  struct Item {
    std::string name;
    Kind kind;
    FieldRef field;  // kField only
  };
  explicit ResultFields(std::vector<Item> items) : items_(std::move(items)) {}

  static std::optional<Item> Find(const std::string& name);
  static std::optional<std::string> ShortValue(Kind kind, const ResultView& result);
  bool Has(Kind kind) const;

  std::vector<Item> items_;
};

// The fields of --lean.
inline constexpr std::string_view kLeanFields = "path,lines,hash,score,heading,snippet";
inline constexpr std::string_view kLeanPieceFields = "path,lines,hash,score,heading,text";
inline constexpr std::string_view kLeanGetFields = "path,lines,hash,text";
// The size of a snippet in lean lines, unless --snippet is given.
inline constexpr size_t kLeanSnippetBytes = 140;

}  // namespace recall
