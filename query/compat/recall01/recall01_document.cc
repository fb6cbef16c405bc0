// Reconstructs documents of recall 0.1, which stored the texts of chunks but not those of
// documents.
//
// Problem. Chunks overlap by some words, and their texts may have lost the original white space. A
// store needs a text in which every chunk is a byte range.
//
// Idea. Chunks are added in the order of their offsets, counted in white-space tokens. A chunk
// whose offset lies within the text so far, and whose bytes repeat all text from there on, is
// merged with it. Any other chunk begins a new line (TextRebuilder).
//
// Invariants. Each span contains exactly the text of its chunk. Nothing is lost: what cannot be
// kept (ids, hashes, times that are invalid) becomes a note.
//
// Cost: linear in the texts of the chunks.

#include "query/compat/recall01/recall01_document.h"

#include <algorithm>

#include "index/base/paths/doc_path.h"
#include "index/base/text/tokenizer.h"
#include "index/source/chunk/token_scan.h"
#include "query/add/records/document_fields.h"
#include "query/add/records/json_record.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

std::optional<Digest> DigestFromHex(std::string_view hex) {
  const auto bytes = FromHex(hex);
  Digest digest;
  if (!bytes || bytes->size() != digest.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), digest.begin());
  return digest;
}

// Returns: the metadata as `add` would store it. A value that is not an object is wrapped in one,
// so that it is not lost.
std::string ReadMeta(const std::string& text, bool* is_object) {
  const auto object = ParseJsonObject(text);
  *is_object = object.has_value();
  if (object) return object->dump();
  const nlohmann::json wrapped = {{"meta", text}};
  return wrapped.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Assembler final {
 public:
  Assembler(const Recall01Document& published, const SourcePlace& place)
      : published_(published), place_(place) {}

  Result<ImportedDocument> Assemble() {
    const std::string& path = published_.path;
    if (!CanBePath(path)) {
      return Fail(place_.Fault(StatusCode::kInvalidArgument, "\"path\" is empty or contains a NUL",
                               "remove this document from the input and try again"));
    }
    AddChunks();
    DescribeDocument();
    CheckChunkIds();
    return std::move(result_);
  }

 private:
  std::string PlaceOf(const Recall01Chunk& chunk) const {
    return SourcePlace{place_.file, place_.is_line, chunk.place}.Words();
  }
  void Note(ImportWarning note) { result_.notes.Add(note, "'" + published_.path + "'"); }

  void AddChunks() {
    TextRebuilder rebuilder;
    const auto& chunks = published_.chunks;
    for (size_t i = 0; i < chunks.size(); ++i) {
      const Recall01Chunk& chunk = chunks[i];
      const bool again = i + 1 < chunks.size() && chunks[i + 1].offset == chunk.offset &&
                         chunks[i + 1].byte_in_token == chunk.byte_in_token;
      if (again) {
        result_.notes.Add(ImportWarning::kDuplicateChunk, PlaceOf(chunks[i + 1]));
        continue;
      }
      const size_t before = rebuilder.spans().size();
      rebuilder.Add(chunk, PlaceOf(chunk), &result_.notes);
      if (rebuilder.spans().size() == before) continue;
      const ChunkSpan& span = rebuilder.spans().back();
      if (chunk.tokens && *chunk.tokens != span.tokens) {
        result_.notes.Add(ImportWarning::kTokenCount, PlaceOf(chunk));
      }
      kept_.push_back(&chunk);
      result_.embeddings.push_back(chunk.embedding);
    }
    result_.text = std::move(rebuilder.text());
    result_.spans = std::move(rebuilder.spans());
  }

  void DescribeDocument() {
    DocRow& doc = result_.doc;
    doc.path = published_.path;
    const Digest text_hash = Sha256(result_.text);
    const std::optional<Digest> hash = DigestFromHex(published_.hash);
    if (!hash) Note(ImportWarning::kHash);
    doc.hash = hash.value_or(text_hash);
    doc.id = MakeDocId(doc.path, doc.hash);
    if (ToHex(doc.id) != published_.id) Note(ImportWarning::kDocId);
    doc.size = static_cast<int64_t>(result_.text.size());
    doc.tag = published_.tag;
    doc.source = published_.source;
    doc.parser = std::string(kImportedParser);
    if (!published_.mtime.empty()) {
      doc.mtime = ParseRfc3339(published_.mtime);
      if (!doc.mtime) Note(ImportWarning::kMtime);
    }
    // Recall 0.1 added files only, and recorded their times.
    doc.origin = doc.mtime ? kFileOrigin : kImportOrigin;
    if (published_.meta) {
      bool is_object = false;
      doc.meta = ReadMeta(*published_.meta, &is_object);
      if (!is_object) Note(ImportWarning::kMeta);
    }
    if (!IsNormalPath(doc.path)) Note(ImportWarning::kPathNotNormal);
    if (doc.hash != text_hash) {
      Note(result_.spans.empty() ? ImportWarning::kNoChunks : ImportWarning::kRebuiltText);
    }
    result_.place = place_;
  }

  void CheckChunkIds() {
    for (const Recall01Chunk* chunk : kept_) {
      const Digest id = MakeChunkId(result_.doc.id, chunk->offset, chunk->byte_in_token);
      if (ToHex(id) != chunk->id) result_.notes.Add(ImportWarning::kChunkId, PlaceOf(*chunk));
    }
  }

  const Recall01Document& published_;
  const SourcePlace& place_;
  std::vector<const Recall01Chunk*> kept_;  // parallel to result_.spans
  ImportedDocument result_;
};

}  // namespace

int64_t Recall01Document::bytes() const {
  size_t bytes = sizeof(*this) + path.size() + (meta ? meta->size() : 0);
  for (const Recall01Chunk& chunk : chunks) {
    bytes += sizeof(chunk) + chunk.text.size() + chunk.embedding.size();
  }
  return static_cast<int64_t>(bytes);
}

void TextRebuilder::Add(const Recall01Chunk& chunk, std::string_view where, ImportWarnings* notes) {
  const size_t indentation = SkipWhiteSpace(chunk.text, 0);
  if (indentation == chunk.text.size()) return notes->Add(ImportWarning::kEmptyChunk, where);
  if (const std::optional<size_t> start = FindOverlap(chunk, indentation)) {
    const size_t old_size = text_.size();
    const size_t repeated = std::min(old_size - *start, chunk.text.size());
    text_.append(chunk.text, repeated);
    CountTokensFrom(old_size);
    return AppendSpan(chunk, *start);
  }
  if (!text_.empty()) {
    if (chunk.offset < next_token_) notes->Add(ImportWarning::kOverlapDiffers, where);
    text_ += '\n';
  }
  const uint64_t expected = spans_.empty() ? 0 : next_token_;
  if (chunk.offset > expected) notes->Add(ImportWarning::kGap, where);
  tokens_.clear();
  in_token_ = false;
  next_token_ = chunk.offset;
  const size_t start = text_.size();
  text_ += chunk.text;
  CountTokensFrom(start);
  AppendSpan(chunk, start);
}

// Returns: the offset at which the chunk starts in the existing text, if it starts inside it and
// repeats all the text that follows; else nullopt.
std::optional<size_t> TextRebuilder::FindOverlap(const Recall01Chunk& chunk,
                                                 size_t indentation) const {
  const auto token = std::lower_bound(
      tokens_.begin(), tokens_.end(), chunk.offset,
      [](const Token& candidate, uint64_t number) { return candidate.number < number; });
  if (token == tokens_.end() || token->number != chunk.offset) return std::nullopt;
  const size_t word = token->start + chunk.byte_in_token;
  if (word < indentation || word > text_.size()) return std::nullopt;
  const size_t start = word - indentation;
  const size_t repeated = std::min(text_.size() - start, chunk.text.size());
  if (text_.compare(start, repeated, chunk.text, 0, repeated) != 0) return std::nullopt;
  return start;
}

void TextRebuilder::CountTokensFrom(size_t from) {
  for (size_t at = from; at < text_.size();) {
    if (const size_t space = WhiteSpaceLength(text_, at)) {
      in_token_ = false;
      at += space;
      continue;
    }
    if (!in_token_) tokens_.push_back({next_token_++, at});
    in_token_ = true;
    ++at;
  }
}

void TextRebuilder::AppendSpan(const Recall01Chunk& chunk, size_t start) {
  const auto lines = [this](size_t from, size_t to) {
    return static_cast<uint32_t>(std::count(text_.begin() + static_cast<ptrdiff_t>(from),
                                            text_.begin() + static_cast<ptrdiff_t>(to), '\n'));
  };
  line_ += lines(line_at_, start);
  line_at_ = start;
  ChunkSpan span;
  span.start_byte = start;
  span.end_byte = start + chunk.text.size();
  span.start_line = line_;
  span.end_line = line_ + lines(start, span.end_byte - 1);
  span.offset = chunk.offset;
  span.byte_in_token = chunk.byte_in_token;
  span.tokens = static_cast<uint32_t>(CountTokens(chunk.text));
  spans_.push_back(std::move(span));
}

Result<ImportedDocument> AssembleDocument(const Recall01Document& published,
                                          const SourcePlace& place) {
  return Assembler(published, place).Assemble();
}

}  // namespace recall
