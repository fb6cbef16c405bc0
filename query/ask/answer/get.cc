// Answers `get`.
//
// The readings of a target (text_reference.h) are tried in order. A reading with a hash is an exact
// citation: its text may be that of an older version (cited_text.h). Then ids are tried.
//
// Verification reads the source file (or the member of an archive) and compares only the bytes of
// the requested range, at their position. The text of an older version is not in the file, so in
// its place the live version is compared as a whole.

#include "query/ask/answer/get.h"

#include <algorithm>
#include <set>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/base/text/tokenizer.h"
#include "index/source/chunk/parser.h"
#include "index/source/extract/process/extractor_pool.h"
#include "index/source/extract/types/locator_text.h"
#include "index/source/secrets/redactor.h"
#include "index/source/session/session_meta.h"
#include "index/source/session/session_text.h"
#include "index/write/ingest/extracted_document.h"
#include "index/write/ingest/text_file.h"
#include "query/ask/answer/heading_anchor.h"
#include "query/ask/answer/targets.h"
#include "query/ask/rows/locators.h"
#include "query/ask/rows/whole_lines.h"
#include "query/ask/sources/source_file.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

uint32_t Newlines(std::string_view text) {
  return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

// Returns: bytes start .. end-1 of the whole text of a document, as an answer.
GetResponse AnswerWithRange(const DocRow& doc, std::string text, uint64_t start, uint64_t end) {
  const std::string_view before = std::string_view(text).substr(0, start);
  const std::string_view range = std::string_view(text).substr(start, end - start);
  GetResponse response;
  response.doc = MakeDocView(doc);
  ChunkView& chunk = response.chunk;
  chunk.doc_id = response.doc.id;
  chunk.offset = CountTokens(before);
  chunk.tokens = CountTokens(range);
  chunk.start_byte = start;
  chunk.end_byte = end;
  chunk.start_line = Newlines(before) + 1;
  if (range.empty()) chunk.start_line = 0;  // there is no line
  const bool ends_line = range.ends_with('\n');
  chunk.end_line = chunk.start_line + Newlines(range) - (ends_line ? 1 : 0);
  text.erase(end);  // keeps the text itself, because it may be large
  text.erase(0, start);
  chunk.text = std::move(text);
  return response;
}

Result<GetResponse> AnswerWithDocument(const TextsAndFacts& texts, const DocRow& doc) {
  RECALL_ASSIGN(std::string text, texts.ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
  const size_t size = text.size();
  GetResponse response = AnswerWithRange(doc, std::move(text), 0, size);
  response.whole_doc = true;
  return response;
}

Status NoSuchLines(const DocRow& doc, const LineRange& lines, std::string_view text) {
  if (!lines.valid) {
    return Status::NotFound("these lines of " + doc.path + " do not exist",
                            "lines count from 1: " + doc.path + ":1-3, " + doc.path + ":2");
  }
  const uint64_t count = CountLines(text);
  return Status::NotFound(doc.path + " has no line " + std::to_string(lines.first),
                          "it has " + std::to_string(count) + (count == 1 ? " line" : " lines"));
}

Result<GetResponse> AnswerWithLines(const TextsAndFacts& texts, const DocRow& doc,
                                    const LineRange& lines) {
  RECALL_ASSIGN(std::string text, texts.ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
  auto range = lines.valid ? FindLines(text, lines.first, lines.last) : std::nullopt;
  // An empty text has no line, but its chunk is cited as line 1.
  if (text.empty() && lines.valid && lines.first == 1) range.emplace(0, 0);
  if (!range) return Fail(NoSuchLines(doc, lines, text));
  return AnswerWithRange(doc, std::move(text), range->first, range->second);
}

// Nothing if the document has no section with this anchor, as "#install".
Result<std::optional<GetResponse>> AnswerWithSection(const TextsAndFacts& texts, const DocRow& doc,
                                                     std::string_view anchor) {
  const auto parser = ParserFromName(doc.parser);
  if (parser != Parser::kMarkdown && parser != Parser::kNote) return std::nullopt;
  RECALL_ASSIGN(std::string text, texts.ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
  const auto range = FindSection(text, anchor.substr(1));
  if (!range) return std::nullopt;
  return AnswerWithRange(doc, std::move(text), range->first, range->second);
}

// Nothing if the document has no places, because its text is that of its file.
Result<std::optional<GetResponse>> AnswerWithPlace(const TextsAndFacts& texts, const DocRow& doc,
                                                   const std::string& place) {
  LocatorReader locators(texts);
  RECALL_ASSIGN(const std::vector<LocatorSpan>* spans, locators.SpansOf(doc));
  const auto range = FindLocator(*spans, place);
  if (!range && place.starts_with('#')) {
    RECALL_ASSIGN(auto section, AnswerWithSection(texts, doc, place));
    if (section) return section;
  }
  if (!range && spans->empty()) {
    if (!place.starts_with('#')) return std::nullopt;
    return Fail(Status::NotFound(doc.path + " has no section " + place,
                                 "the anchor of a heading has its words in lower case, joined by "
                                 "hyphens: " +
                                     doc.path + "#getting-started"));
  }
  if (!range) {
    return Fail(Status::NotFound(doc.path + " has no place " + place,
                                 "its places are " + LocatorName(spans->front().locator) + " to " +
                                     LocatorName(spans->back().locator)));
  }
  RECALL_ASSIGN(std::string text, texts.ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
  return AnswerWithRange(doc, std::move(text), range->first, range->second);
}

Result<GetResponse> AnswerWithChunk(const TextsAndFacts& texts, const ChunkRow& chunk) {
  RECALL_ASSIGN(const DocRow doc, texts.ReadDoc(chunk.doc_row));
  GetResponse response;
  response.doc = MakeDocView(doc);
  response.chunk = MakeChunkView(doc, chunk);
  RECALL_ASSIGN(response.chunk.text, texts.ReadText(doc, chunk.start_byte, chunk.end_byte));
  return response;
}

// Sets the hash of the lines of an answer. A chunk may begin and end within a line.
Status HashLines(const TextsAndFacts& texts, GetResponse& found) {
  ChunkView& chunk = found.chunk;
  if (chunk.id.empty()) {
    chunk.lines_hash = HashOfLines(chunk.text);
    return {};
  }
  RECALL_ASSIGN(const auto doc, texts.FindDoc(found.doc.path));
  if (!doc) return Status::Corruption(found.doc.path + " was found by id, not by path");
  RECALL_ASSIGN(chunk.lines_hash, HashWholeLines(texts, *doc, chunk.start_byte, chunk.end_byte));
  return {};
}

// Returns: the path of the document, or of its removed versions, that an exact citation names;
// nothing if the store has none.
Result<std::optional<std::string>> FindCitedPath(const TextsAndFacts& texts,
                                                 const std::string& name,
                                                 const std::string& store_root) {
  RECALL_ASSIGN(const auto live, FindNamed(texts, name, store_root));
  if (live) return live->path;
  for (const std::string& path : {NormalizeDocPath(name, store_root), name}) {
    RECALL_ASSIGN(const auto versions, texts.FindRemovedVersions(path));
    if (!versions.empty()) return path;
  }
  return std::nullopt;
}

Result<GetResponse> AnswerWithCitation(const TextsAndFacts& texts, const std::string& path,
                                       const TextReference& cited,
                                       const SimilarTextSearch& search) {
  RECALL_ASSIGN(CitedText found, FindCitedText(texts, path, cited, search));
  const bool whole = found.start == 0 && found.end == found.text.size() && !cited.lines;
  GetResponse response = AnswerWithRange(found.doc, std::move(found.text), found.start, found.end);
  response.whole_doc = whole;
  response.citation = found.outcome;
  response.now = std::move(found.now);
  return response;
}

Result<GetResponse> FindTarget(const TextsAndFacts& texts, const std::string& target,
                               const std::string& store_root, const SimilarTextSearch& search) {
  const std::vector<TextReference> readings = ReadingsOf(target);
  for (const TextReference& reading : readings) {
    if (!reading.place.empty()) {
      RECALL_ASSIGN(const auto doc, FindNamed(texts, reading.path, store_root));
      if (!doc) continue;
      RECALL_ASSIGN(auto found, AnswerWithPlace(texts, *doc, reading.place));
      if (found) return *std::move(found);
      continue;
    }
    if (!reading.hash.empty()) {
      if (reading.lines && !reading.lines->valid) continue;
      RECALL_ASSIGN(const auto path, FindCitedPath(texts, reading.path, store_root));
      if (path) return AnswerWithCitation(texts, *path, reading, search);
      continue;
    }
    RECALL_ASSIGN(const auto doc, FindNamed(texts, reading.path, store_root));
    if (!doc) continue;
    return reading.lines ? AnswerWithLines(texts, *doc, *reading.lines)
                         : AnswerWithDocument(texts, *doc);
  }
  for (const TextReference& reading : readings) {
    if (!reading.hash.empty() || !reading.place.empty()) continue;
    RECALL_ASSIGN(const auto doc, FindIgnoringCase(texts, reading.path, store_root));
    if (!doc) continue;
    return reading.lines ? AnswerWithLines(texts, *doc, *reading.lines)
                         : AnswerWithDocument(texts, *doc);
  }
  if (const auto digits = IdDigits(target)) {
    RECALL_ASSIGN(const FoundById found, FindById(texts, *digits));
    if (found.doc) return AnswerWithDocument(texts, *found.doc);
    if (found.chunk) return AnswerWithChunk(texts, *found.chunk);
  }
  // The store knows nothing of the path, but a renamed document may have the text.
  for (const TextReference& reading : readings) {
    if (reading.hash.empty() || (reading.lines && !reading.lines->valid)) continue;
    return AnswerWithCitation(texts, NormalizeDocPath(reading.path, store_root), reading, search);
  }
  // The reading with the shortest path is what the user most likely means.
  const auto likely =
      std::find_if(readings.rbegin(), readings.rend(),
                   [](const TextReference& reading) { return reading.place.empty(); });
  RECALL_ASSIGN(std::string hint, HintFor(texts, likely->path, store_root));
  return Fail(Status::NotFound("no such document or chunk: " + target, std::move(hint)));
}

// ---- Verification -------------------------------------------------------------------------------

bool IsSameText(const GetResponse& found, const std::string& text) {
  const ChunkView& chunk = found.chunk;
  // The text of an imported document may differ from that of its file, but its hash is that of the
  // file.
  if (found.doc.parser == kImportedParser) return ToHex(Sha256(text)) == found.doc.hash;
  if (found.whole_doc) return text == chunk.text;
  return chunk.end_byte <= text.size() &&
         text.compare(chunk.start_byte, chunk.text.size(), chunk.text) == 0;
}

// A text that `add --secrets redact` stored is that of its file after the same redaction.
Result<bool> IsSame(const GetResponse& found, const std::string& text,
                    const SecretSettings& secrets) {
  if (IsSameText(found, text)) return true;
  RECALL_ASSIGN(const Redactor redactor, Redactor::Make(secrets.rules, secrets.allow));
  return IsSameText(found, redactor.Redact(text, nullptr));
}

// Whether a text that cannot be read is missed: that of a file, and that of an archive which is
// there. Lines and imported documents never had a file.
Result<bool> HadSource(const TextsAndFacts& texts, const DocView& doc, const SourcePlaces& places) {
  if (doc.origin == kMemberOrigin) return ArchiveExists(texts, doc.path, places);
  return doc.origin == kFileOrigin;
}

// The same for a document whose text was extracted: its file is compared first, and if that is
// another one, its text.
Result<VerifyOutcome> CompareWithOriginal(const TextsAndFacts& texts, const DocRow& doc,
                                          const ExtractionRow& extraction,
                                          const SourcePlaces& places,
                                          const ExtractSettings& settings,
                                          const std::vector<UserExtractor>& own) {
  const auto bytes = ReadSourceBytes(texts, doc.path, places);
  if (!bytes) {
    RECALL_ASSIGN(const bool had_source, HadSource(texts, MakeDocView(doc), places));
    if (!had_source) return VerifyOutcome::kNoFile;
    const bool missing = bytes.error().code() == StatusCode::kNotFound;
    return missing ? VerifyOutcome::kMissing : VerifyOutcome::kChanged;
  }
  if (Sha256(*bytes) == extraction.original_hash) return VerifyOutcome::kSame;
  if (extraction.format == kDecodedFormat) {
    const auto text = DecodeTextBytes(*bytes, GivenCharsetOf(extraction));
    if (!text) return VerifyOutcome::kChanged;
    const bool same = Sha256(*text ? (*text)->text : *bytes) == doc.hash;
    return same ? VerifyOutcome::kSameText : VerifyOutcome::kChanged;
  }
  if (settings.program.empty()) return VerifyOutcome::kChanged;
  const std::atomic<bool> not_cancelled{false};
  ExtractorPool extractors({.path = settings.program,
                            .unsafe = settings.unsafe,
                            .timeout = std::chrono::milliseconds(settings.timeout_ms)},
                           ExtractLimits(), extraction.extractor.starts_with("html-all/"), own,
                           &not_cancelled);
  FileContent content;
  content.bytes = std::move(*bytes);
  const Status is_known = CompleteContent(doc.path, {&extractors}, &content);
  if (!is_known.ok() || !content.extractor) return VerifyOutcome::kChanged;
  const Extraction again = extractors.Extract(*content.extractor, content.bytes);
  return Sha256(again.text) == doc.hash ? VerifyOutcome::kSameText : VerifyOutcome::kChanged;
}

Result<VerifyOutcome> CompareWithSource(const TextsAndFacts& texts, const GetResponse& found,
                                        const SourcePlaces& places, const SecretSettings& secrets) {
  const auto text = ReadSourceText(texts, found.doc.path, places);
  if (!text) {
    RECALL_ASSIGN(const bool had_source, HadSource(texts, found.doc, places));
    if (!had_source) return VerifyOutcome::kNoFile;
    const bool missing = text.error().code() == StatusCode::kNotFound;
    return missing ? VerifyOutcome::kMissing : VerifyOutcome::kChanged;
  }
  if (found.citation != CitationOutcome::kReplaced) {
    RECALL_ASSIGN(const bool same, IsSame(found, *text, secrets));
    return same ? VerifyOutcome::kSame : VerifyOutcome::kChanged;
  }
  RECALL_ASSIGN(const auto live, texts.FindDoc(found.doc.path));
  if (!live) return VerifyOutcome::kChanged;  // the file is there, the document is not
  RECALL_ASSIGN(const GetResponse present, AnswerWithDocument(texts, *live));
  RECALL_ASSIGN(const bool same, IsSame(present, *text, secrets));
  return same ? VerifyOutcome::kSame : VerifyOutcome::kChanged;
}

// The bytes of the file that a document is of, if it still is the same file.
Result<std::string> ReadOriginal(const TextsAndFacts& texts, const DocView& doc,
                                 const std::optional<ExtractionRow>& extraction,
                                 const SourcePlaces& places) {
  auto bytes = ReadSourceBytes(texts, doc.path, places);
  if (!bytes) {
    return Fail(Status::NotFound(
        "the file of " + doc.path + " cannot be read: " + std::string(bytes.error().message()),
        "`recall get " + doc.path + "` prints the text in the store"));
  }
  const std::string hash = extraction ? ToHex(extraction->original_hash) : doc.hash;
  if (ToHex(Sha256(*bytes)) != hash) {
    return Fail(Status::NotFound("the file of " + doc.path + " has changed since it was added",
                                 "`recall add` brings the store up to date"));
  }
  return std::move(*bytes);
}

// ---- Turns --------------------------------------------------------------------------------------

Result<TurnsView> ReadTurns(const GetResponse& found, const GetRequest::Turns& wanted) {
  if (found.doc.parser != kSessionParser || !found.whole_doc) {
    return Fail(Status::InvalidArgument(
        found.doc.path +
            (found.whole_doc ? " is no session" : ": turns are those of a whole session"),
        "name a session, such as sessions/claude-code/ID, without lines"));
  }
  SessionTurns session = ReadSessionText(found.chunk.text);
  TurnsView view;
  view.offset = wanted.offset;
  view.limit = wanted.count;
  std::set<uint32_t> shown;
  for (size_t i = 0; i < session.turns.size(); ++i) {
    if (wanted.role && session.turns[i].role != *wanted.role) continue;
    const int64_t place = view.total++;
    if (place < wanted.offset || place - wanted.offset >= wanted.count) continue;
    const auto number = static_cast<uint32_t>(i);
    view.turns.emplace_back(number, std::move(session.turns[i]));
    shown.insert(number);
  }
  view.has_more = wanted.offset < view.total && view.total - wanted.offset > wanted.count;
  for (ToolCall& call : session.tool_calls) {
    if (shown.contains(call.turn)) view.tool_calls.push_back(std::move(call));
  }
  return view;
}

Result<std::string> ReadTranscriptOf(const TextsAndFacts& texts, const GetResponse& found) {
  const std::string name = ReadSessionMeta(found.doc.meta_json.value_or("")).transcript;
  if (found.doc.parser == kSessionParser) {
    RECALL_ASSIGN(auto text, texts.ReadTranscript(name));
    if (text) return *std::move(text);
  }
  return Fail(Status::NotFound("the store has no transcript of " + found.doc.path,
                               "`recall get " + found.doc.path + "` prints what was said"));
}

}  // namespace

Result<GetResponse> RunGet(const TextsAndFacts& texts, const GetRequest& request,
                           const SourcePlaces& places, const SimilarTextSearch& search,
                           const std::vector<UserExtractor>& extractors) {
  RECALL_ASSIGN(GetResponse found, FindTarget(texts, request.target, places.store_root, search));
  if (request.cite) RECALL_TRY(HashLines(texts, found));
  if (request.turns) {
    RECALL_ASSIGN(found.turns, ReadTurns(found, *request.turns));
  }
  if (request.transcript) {
    RECALL_ASSIGN(found.transcript, ReadTranscriptOf(texts, found));
  }
  RECALL_ASSIGN(const auto live, texts.FindDoc(found.doc.path));
  std::optional<ExtractionRow> extraction;
  if (live) {
    RECALL_ASSIGN(extraction, texts.ReadExtraction(live->row));
    if (found.doc.hash == ToHex(live->hash) && !found.whole_doc) {
      RECALL_ASSIGN(found.chunk.locator,
                    LocatorReader(texts).Find(*live, found.chunk.start_byte, found.chunk.end_byte));
    }
  }
  if (request.original) {
    RECALL_ASSIGN(found.original, ReadOriginal(texts, found.doc, extraction, places));
  }
  if (request.verify && extraction) {
    RECALL_ASSIGN(found.verify, CompareWithOriginal(texts, *live, *extraction, places,
                                                    request.extract, extractors));
  } else if (request.verify) {
    RECALL_ASSIGN(found.verify, CompareWithSource(texts, found, places, request.secret_settings));
  }
  return found;
}

}  // namespace recall
