#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/names.h"
#include "index/base/text/segment_analyzer.h"
#include "index/base/text/token_places.h"
#include "index/base/text/tokenizer.h"
#include "index/source/chunk/front_matter.h"
#include "index/source/code/defined_names.h"
#include "index/source/code/path_role.h"
#include "index/source/note/card_fields.h"

namespace recall {

// All tokens that the full-text index has of the chunks of a document: those of headings and text,
// of the path, of the names that a chunk defines, its marks, and of the fields of a note's card
// (CardToken). The index is filled, checked and purged with it. Contains caches: one per thread.
class DocumentTokenizer final {
 public:
  // Requires: IsKnownTokenizer(version).
  explicit DocumentTokenizer(uint32_t version) : tokenizer_(version), placer_(version) {}

  // Begins a document with this parser. `meta`: its metadata, of which the title is indexed, too,
  // since version 3. `language`: that which the store has of it (ISO 639-1); "" if it has none.
  // `head`: its text, or at least the first kHeadBytes of it; only needed of a note. The path of a
  // session is not indexed: it is a number, below the name of an agent that all its sessions share.
  static constexpr size_t kHeadBytes = kMaxFrontMatterBytes;
  void Begin(std::string_view path, std::string_view parser, const std::optional<std::string>& meta,
             std::string_view language, std::string_view head);

  // Analyses a chunk, the bytes of the document from `start_byte` on. Overwrites *out.
  void Analyze(std::string_view heading, uint64_t start_byte, std::string_view text,
               LexicalText* out);

 private:
  void AppendDefinitions(std::string_view text, std::string* out);
  void AppendMarks(std::string_view text, std::string* out) const;
  void AppendField(CardField field, uint64_t start_byte, const TokenPlacer::Tokens& tokens,
                   std::string* out) const;

  Tokenizer tokenizer_;
  TokenPlacer placer_;
  SegmentAnalyzer analyzer_;
  std::string path_words_;
  TextKind kind_ = TextKind::kOther;
  std::optional<PathRole> role_;
  std::vector<CardSpan> card_;
  size_t card_end_ = 0;  // past the front matter
};

}  // namespace recall
