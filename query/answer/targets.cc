// Resolves the names that users give to documents and chunks, and answers `get`.
//
// A name is tried in this order, and the first match is taken:
// 1. the path of a document, relative to the working directory, then as stored;
// 2. for `get`, a path followed by ":from:count", a range of lines; for `rm`, a directory or
//    archive;
// 3. an id or id prefix of at least kShortestIdPrefix digits.
//
// So a document whose path looks like an id or contains colons can still be named. An ambiguous id
// prefix is an error, never a guess.
//
// Verification reads the source file (or the member of an archive) and compares only the bytes of
// the requested range, at their position.

#include "query/answer/targets.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "index/archive/archive_names.h"
#include "index/archive/archive_reader.h"
#include "index/ingest/extract.h"
#include "index/ingest/walker.h"
#include "index/paths/doc_path.h"
#include "index/paths/working_directory.h"
#include "index/text/tokenizer.h"

namespace recall {
namespace {

Status Ambiguous(std::string_view prefix, std::string_view what) {
  return Status::InvalidArgument(
      "id prefix " + std::string(prefix) + " matches more than one " + std::string(what),
      "use more digits");
}

// The source file may now be larger than what `add` accepts; --verify only has to read it.
constexpr uint64_t kVerifyMaxBytes = uint64_t{4} << 30;
constexpr uint64_t kVerifyMaxArchiveBytes = uint64_t{1} << 40;

// Finds the document with a path relative to the working directory, else relative to the store.
Result<std::optional<DocRow>> FindNamed(const TextsAndFacts& texts, std::string_view name,
                                        const std::string& store_root) {
  if (!LooksLikeId(name)) RECALL_TRY(CheckHasPlace(name));
  RECALL_ASSIGN(auto doc, texts.FindDoc(NormalizeDocPath(name, store_root)));
  if (doc) return doc;
  return texts.FindDoc(name);
}

// ---- path:from:count --------------------------------------------------------------------------

struct LineRange {
  std::string path;
  uint64_t from = 1;
  uint64_t count = 0;
};

std::optional<uint64_t> ParseCount(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) return std::nullopt;
  return value;
}

std::optional<LineRange> ParseLineRange(std::string_view target) {
  const size_t second = target.rfind(':');
  if (second == std::string_view::npos || second == 0) return std::nullopt;
  const size_t first = target.rfind(':', second - 1);
  if (first == std::string_view::npos || first == 0) return std::nullopt;
  const auto from = ParseCount(target.substr(first + 1, second - first - 1));
  const auto count = ParseCount(target.substr(second + 1));
  if (!from || !count) return std::nullopt;
  return LineRange{std::string(target.substr(0, first)), *from, *count};
}

// Returns: the byte range of the lines from .. from+count-1, with their newlines; nothing if the
// text has fewer than `from` lines.
std::optional<std::pair<uint64_t, uint64_t>> FindLines(std::string_view text, uint64_t from,
                                                       uint64_t count) {
  size_t start = 0;
  for (uint64_t line = 1; line < from; ++line) {
    const size_t newline = text.find('\n', start);
    if (newline == std::string_view::npos) return std::nullopt;
    start = newline + 1;
  }
  if (start >= text.size()) return std::nullopt;
  size_t end = start;
  for (uint64_t line = 0; line < count && end < text.size(); ++line) {
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  }
  return std::make_pair(start, end);
}

// ---- get --------------------------------------------------------------------------------------

class Getter final {
 public:
  Getter(const TextsAndFacts& texts, const GetRequest& request, const std::string& store_root)
      : texts_(texts), request_(request), store_root_(store_root) {}

  Result<GetResponse> Get() {
    RECALL_ASSIGN(const bool found, Find());
    if (!found) {
      return Fail(Status::NotFound("no such document or chunk: " + request_.target,
                                   "specify the path of a document, path:from:count, or an id"));
    }
    if (request_.verify) Verify();
    return std::move(response_);
  }

 private:
  Result<std::optional<DocRow>> FindPath(std::string_view path) const {
    return FindNamed(texts_, path, store_root_);
  }

  Result<bool> Find() {
    RECALL_ASSIGN(const auto whole, FindPath(request_.target));
    if (whole) return TakeWhole(*whole);
    if (const auto range = ParseLineRange(request_.target)) {
      RECALL_ASSIGN(const auto doc, FindPath(range->path));
      if (doc) return TakeLines(*doc, *range);
    }
    return LooksLikeId(request_.target) ? FindId() : Result<bool>(false);
  }

  Result<bool> FindId() {
    RECALL_ASSIGN(const auto docs, texts_.FindDocsById(request_.target, 2));
    RECALL_ASSIGN(const auto chunks, texts_.FindChunksById(request_.target, 2));
    if (docs.size() + chunks.size() > 1) return Fail(Ambiguous(request_.target, "thing"));
    if (docs.size() == 1) return TakeWhole(docs[0]);
    return chunks.size() == 1 ? TakeChunk(chunks[0]) : Result<bool>(false);
  }

  Result<bool> TakeChunk(const ChunkRow& chunk) {
    RECALL_ASSIGN(const DocRow doc, texts_.ReadDoc(chunk.doc_row));
    response_.doc = MakeDocView(doc);
    response_.chunk = MakeChunkView(doc, chunk);
    RECALL_ASSIGN(response_.chunk.text, texts_.ReadText(doc, chunk.start_byte, chunk.end_byte));
    return true;
  }

  Result<bool> TakeWhole(const DocRow& doc) {
    RECALL_ASSIGN(std::string text, texts_.ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
    response_.whole_doc = true;
    const size_t size = text.size();
    return TakeRange(doc, std::move(text), 0, size);
  }

  Result<bool> TakeLines(const DocRow& doc, const LineRange& lines) {
    RECALL_ASSIGN(std::string text, texts_.ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
    const auto range = FindLines(text, lines.from, lines.count);
    if (!range) {
      const bool open_end = !text.empty() && text.back() != '\n';
      const auto has = std::count(text.begin(), text.end(), '\n') + (open_end ? 1 : 0);
      return Fail(
          Status::NotFound(doc.path + " has no line " + std::to_string(lines.from),
                           "it has " + std::to_string(has) + (has == 1 ? " line" : " lines")));
    }
    return TakeRange(doc, std::move(text), range->first, range->second);
  }

  // Answers with text[start, end). Keeps the text itself, because it may be large.
  Result<bool> TakeRange(const DocRow& doc, std::string text, uint64_t start, uint64_t end) {
    const std::string_view before = std::string_view(text).substr(0, start);
    const std::string_view range = std::string_view(text).substr(start, end - start);
    const auto newlines = [](std::string_view part) {
      return static_cast<uint32_t>(std::count(part.begin(), part.end(), '\n'));
    };
    response_.doc = MakeDocView(doc);
    ChunkView& chunk = response_.chunk;
    chunk.doc_id = response_.doc.id;
    chunk.offset = CountTokens(before);
    chunk.tokens = CountTokens(range);
    chunk.start_byte = start;
    chunk.end_byte = end;
    chunk.start_line = newlines(before) + 1;
    const bool ends_line = !range.empty() && range.back() == '\n';
    chunk.end_line = chunk.start_line + newlines(range) - (ends_line ? 1 : 0);
    text.erase(end);
    text.erase(0, start);
    chunk.text = std::move(text);
    return true;
  }

  // Compares only the bytes of the range, at their position; the rest of the file may have changed.
  void Verify() {
    const auto text = ReadSource();
    if (!text) {
      const bool missing = text.error().code() == StatusCode::kNotFound;
      response_.verify = missing ? VerifyOutcome::kMissing : VerifyOutcome::kChanged;
      return;
    }
    response_.verify = IsSame(*text) ? VerifyOutcome::kSame : VerifyOutcome::kChanged;
  }

  // Returns: the text of the source file, or of the member of an archive.
  Result<std::string> ReadSource() const {
    Result<std::string> text =
        ReadTextFile(FilePathOf(response_.doc.path, store_root_), kVerifyMaxBytes);
    const auto parts = SplitMemberPath(response_.doc.path);
    if (text || text.error().code() != StatusCode::kNotFound || !parts) return text;
    return ReadArchiveMember(FilePathOf(parts->archive, store_root_), parts->member,
                             {kVerifyMaxBytes, kVerifyMaxArchiveBytes});
  }

  bool IsSame(const std::string& text) const {
    const ChunkView& chunk = response_.chunk;
    // The text of an imported document may differ from that of its file, but its hash is that of
    // the file.
    if (response_.doc.parser == kImportedParser) return ToHex(Sha256(text)) == response_.doc.hash;
    if (response_.whole_doc) return text == chunk.text;
    return chunk.end_byte <= text.size() &&
           text.compare(chunk.start_byte, chunk.text.size(), chunk.text) == 0;
  }

  const TextsAndFacts& texts_;
  const GetRequest& request_;
  const std::string& store_root_;
  GetResponse response_;
};

}  // namespace

bool LooksLikeId(std::string_view text) {
  return text.size() >= kShortestIdPrefix && IdPrefixRange(text).has_value();
}

Result<std::vector<DocRow>> ResolveTarget(const TextsAndFacts& texts, const std::string& target,
                                          const std::string& store_root) {
  if (target.empty()) return std::vector<DocRow>();  // not "everything"
  RECALL_ASSIGN(const auto doc, FindNamed(texts, target, store_root));
  if (doc) return std::vector<DocRow>{*doc};
  RECALL_ASSIGN(auto below, texts.FindDocsUnder(NormalizeDocPath(target, store_root)));
  // "." denotes the working directory. As a path of the store it would mean all documents.
  const bool only_dots = target.find_first_not_of("./") == std::string::npos;
  if (!below.empty() || only_dots) return below;
  // An archive denotes all of its members.
  if (IsArchiveName(target)) {
    RECALL_ASSIGN(below, texts.FindDocsUnder(NormalizeDocPath(target, store_root) + "!"));
    if (!below.empty()) return below;
  }
  RECALL_ASSIGN(below, texts.FindDocsUnder(target));
  if (!below.empty() || !LooksLikeId(target)) return below;
  RECALL_ASSIGN(auto by_id, texts.FindDocsById(target, 2));
  if (by_id.size() > 1) return Fail(Ambiguous(target, "document"));
  return by_id;
}

Result<GetResponse> RunGet(const TextsAndFacts& texts, const GetRequest& request,
                           const std::string& store_root) {
  return Getter(texts, request, store_root).Get();
}

}  // namespace recall
