#include "index/write/ingest/document_builder.h"

#include <algorithm>
#include <map>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/source/archive/archive_names.h"
#include "index/source/chunk/chunker.h"
#include "index/source/extract/types/locator_record.h"
#include "index/source/extract/types/locator_text.h"
#include "index/source/note/indexed_title.h"
#include "index/source/note/text_links.h"
#include "index/source/secrets/secret_scan.h"
#include "index/write/ingest/document_language.h"
#include "index/write/ingest/extracted_document.h"
#include "storage/tables/supplied_vectors.h"
#include "storage/tables/text_grams.h"

namespace recall {

bool HasOtherTitleTokens(const DocRow& doc, const DocRow& live, uint32_t tokenizer_version) {
  return HasNameSpans(tokenizer_version) && doc.meta != live.meta &&
         IndexedTitle(doc.parser, doc.meta) != IndexedTitle(live.parser, live.meta);
}

namespace {

// The work on one document that needs no lock, run by worker threads:
//
//   file --read, check UTF-8--> text --SHA-256--> compare with the live version
//     unchanged / refreshed      nothing more to compute
//     added / updated            ExtractorPool::Outline -> definitions, of source code
//                                ChunkText -> spans
//                                CompressText -> blocks
//                                TermBuilder: Tokenizer -> postings;  Embedder -> quantised vectors
//
// The comparison decides between writing a new version (text, parser, supplied embedding, title
// or language differ), refreshing the row (only mtime, tag, source, metadata or origin differ) and
// nothing. With mtime_only a file with the recorded time is not even read.
//
// Labels have three sources, in order of precedence: the document itself, the options of the
// command, and the live version. "Unset" and "set to nothing" differ, hence the nested optionals.
//
// TermBuilder analyses each chunk once for both indexes: an embedder of stems takes the stems that
// the lexical analysis produced. It works on 64 chunks at a time, which is a batch for the embedder
// and stays in the cache.
//
// A failure of the embedder is not a fault of the document; it is returned in `embedding` and ends
// the ingest. A document of more than kLargeDocumentBytes keeps its text, and the writer builds its
// terms in pieces, so that memory stays bounded.

using Outcome = PreparedDocument::Outcome;

// Texts are analysed and embedded in batches of this size: enough for an embedder to be efficient,
// small enough to stay in the cache.
constexpr size_t kEmbedBatch = 64;
// Postings are taken out at this size, because imported chunks may be very large.
constexpr size_t kPostingsAtATime = 1 << 20;

bool SameLabels(const DocRow& doc, const BuildOptions& options) {
  return (!options.tag || options.tag == doc.tag) &&
         (!options.source || options.source == doc.source);
}

std::string VectorOf(const ProvidedDocument& given, const DocRow& doc,
                     const std::optional<DocRow>& live) {
  if (!given.embedding)
    return live && live->hash == doc.hash ? live->supplied_vector : std::string();
  return given.embedding->empty() ? std::string() : EncodeSuppliedVector(*given.embedding);
}

// A line with the text that the store already has only sets labels: the text is still that of the
// file, if it came from one.
std::string OriginOf(std::string_view given, const DocRow& doc, const std::optional<DocRow>& live) {
  const bool keeps = given == kLineOrigin && live && live->hash == doc.hash;
  return keeps ? live->origin : std::string(given);
}

bool IsInFolder(std::string_view path, std::string_view folder) {
  return !folder.empty() && path.size() > folder.size() && path.starts_with(folder) &&
         path[folder.size()] == '/';
}

// Whether a text was extracted from another format, not only decoded from another charset.
bool IsOfOtherFormat(const std::optional<ExtractionRow>& extraction) {
  return extraction && extraction->format != kDecodedFormat;
}

// The parser of a document; extracted text has the marks of Markdown. A note or a session stays one
// until another parser is requested.
Parser ParserOf(const BuildOptions& options, std::string_view path, bool is_extracted,
                const std::optional<DocRow>& live) {
  const Parser usual = ResolveParser(options.parser, path);
  if (options.parser != Parser::kAuto) return usual;
  if (is_extracted) return Parser::kMarkdown;
  if (live && live->parser == kSessionParser) return Parser::kSession;
  const bool stays = live && live->parser == kNoteParser;
  const bool is_new = usual == Parser::kMarkdown && IsInFolder(path, options.notes_folder);
  return stays || is_new ? Parser::kNote : usual;
}

// The new version as its source and the options define it, before it is compared. *shortfall: that
// of its metadata.
DocRow DescribeDocument(ProvidedDocument& given, const std::optional<DocRow>& live,
                        const BuildOptions& options, std::string* shortfall) {
  const std::string_view text = given.text;
  DocRow doc;
  doc.path = std::move(given.path);
  doc.hash = given.keeps_text ? live->hash : Sha256(text);
  doc.id = MakeDocId(doc.path, doc.hash);
  doc.size = given.keeps_text ? live->size : static_cast<int64_t>(text.size());
  // A line with the text that the store already has only sets labels: the text is still extracted.
  if (given.origin == kLineOrigin && live && live->hash == doc.hash) {
    given.extraction = live->extraction;
  }
  doc.parser =
      std::string(ParserName(ParserOf(options, doc.path, IsOfOtherFormat(given.extraction), live)));
  doc.tag = options.tag ? options.tag : live ? live->tag : std::nullopt;
  doc.source = options.source ? options.source : live ? live->source : std::nullopt;
  // The card of a note is part of its text.
  if (given.extraction) {
    if (live) doc.meta = live->meta;
  } else if (options.extract_meta || doc.parser == kNoteParser) {
    if (doc.parser != "plain" && doc.parser != "code" && !given.meta) {
      ExtractedMetadata metadata = ExtractMetadata(text);
      doc.meta = std::move(metadata.object);
      *shortfall = std::move(metadata.shortfall);
    }
  } else if (live) {
    doc.meta = live->meta;
  }
  if (live) doc.mtime = live->mtime;
  if (given.mtime) doc.mtime = *given.mtime;
  if (given.tag) doc.tag = *std::move(given.tag);
  if (given.source) doc.source = *std::move(given.source);
  if (given.meta) doc.meta = *std::move(given.meta);
  doc.supplied_vector = VectorOf(given, doc, live);
  doc.origin = OriginOf(given.origin, doc, live);
  doc.extraction = std::move(given.extraction);
  SettleLanguage(given.text, given.language ? given.language : options.language, live, &doc);
  return doc;
}

std::vector<DocumentSecret> SecretPlaces(const std::vector<SecretSpan>& spans,
                                         const std::string& path, std::string_view text) {
  std::vector<DocumentSecret> places;
  int64_t line = 1;
  size_t at = 0;
  for (const SecretSpan& span : spans) {
    line += std::count(text.begin() + static_cast<ptrdiff_t>(at),
                       text.begin() + static_cast<ptrdiff_t>(span.begin), '\n');
    at = span.begin;
    places.push_back({path, line, std::string(span.kind)});
  }
  return places;
}

// Redacts a text. Returns: what was in it.
std::vector<DocumentSecret> RedactDocument(const Redactor& redactor, const std::string& path,
                                           std::string* text) {
  const std::vector<SecretSpan> spans = redactor.Find(*text);
  if (spans.empty()) return {};
  std::vector<DocumentSecret> places = SecretPlaces(spans, path, *text);
  *text = redactor.Redact(*text, nullptr);
  return places;
}

// The secrets of labels stand in no line of the text.
constexpr int64_t kLineOfLabels = 0;

// The outcome for a document that is skipped because of its credentials. `in_store`: an older
// version is there.
PreparedDocument SkippedForSecrets(std::vector<DocumentSecret> secrets, bool in_store) {
  const DocumentSecret& first = secrets.front();
  PreparedDocument skipped;
  skipped.outcome = Outcome::kSkipped;
  skipped.fault = {
      first.path, 0, first.path,
      (first.line == kLineOfLabels ? "a label" : "line " + std::to_string(first.line)) +
          " contains a credential (" + first.kind + ")" +
          (secrets.size() == 1 ? std::string()
                               : ", and there are " + std::to_string(secrets.size() - 1) + " more"),
      SkipReason::kSecrets};
  skipped.secrets = std::move(secrets);
  skipped.stays_in_store = in_store;
  return skipped;
}

// Returns the secrets in the labels that a document is given, which are stored beside its text.
// None if the policy is to keep or to redact them.
std::vector<DocumentSecret> SecretsOfLabels(const ProvidedDocument& given,
                                            const BuildOptions& options) {
  std::vector<DocumentSecret> secrets;
  if (options.secrets != SecretPolicy::kWarn && options.secrets != SecretPolicy::kSkip) return {};
  for (const auto* label : {&given.tag, &given.source, &given.meta}) {
    if (!*label || !**label) continue;
    std::map<std::string, int64_t> counts;
    if (options.secrets == SecretPolicy::kSkip) {
      options.redactor->RedactJsonLine(***label, &counts);
    } else {
      for (const SecretSpan& span : FindSecrets(***label)) ++counts[std::string(span.kind)];
    }
    for (const auto& [kind, count] : counts) {
      secrets.insert(secrets.end(), static_cast<size_t>(count), {given.path, kLineOfLabels, kind});
    }
  }
  return secrets;
}

// Redacts the text of a document, and the names of its places. Returns: what was in the text.
std::vector<DocumentSecret> RedactGiven(const Redactor& redactor, ProvidedDocument* given) {
  const std::string before = given->extraction ? given->text : std::string();
  std::vector<DocumentSecret> secrets = RedactDocument(redactor, given->path, &given->text);
  if (given->extraction) {
    given->extraction->spans =
        SpansOfRedacted(redactor, given->extraction->spans, before, given->text);
  }
  return secrets;
}

// Redacts the labels of a document. Returns: what was in them.
std::vector<DocumentSecret> RedactLabels(const Redactor& redactor, DocRow* doc) {
  std::map<std::string, int64_t> counts;
  for (auto* label : {&doc->tag, &doc->source, &doc->meta}) {
    if (*label) *label = redactor.RedactJsonLine(**label, &counts);
  }
  std::vector<DocumentSecret> secrets;
  for (const auto& [kind, count] : counts) {
    secrets.insert(secrets.end(), static_cast<size_t>(count), {doc->path, kLineOfLabels, kind});
  }
  return secrets;
}

// Whether two extractions tell the same of a document, save how they came about.
bool SameExtraction(const DocRow& doc, const DocRow& live) {
  if (!doc.extraction || !live.extraction) return !doc.extraction && !live.extraction;
  return doc.extraction->original_hash == live.extraction->original_hash &&
         doc.extraction->outcome == live.extraction->outcome &&
         doc.extraction->spans == live.extraction->spans;
}

// Sets text, metadata and extraction of a file of another format, or keeps those of the live
// version. Returns: the files attached to it.
std::vector<AttachedFile> ExtractInto(std::string_view bytes, const ExtractorChoice& extractor,
                                      const std::optional<DocRow>& live,
                                      const BuildOptions& options, ProvidedDocument* given) {
  // Texts are looked at for secrets even if they have not changed, and another parser needs them.
  const bool needs_text = options.secrets == SecretPolicy::kSkip ||
                          options.secrets == SecretPolicy::kRedact || !live ||
                          (options.language && !HasLanguage(*live, *options.language)) ||
                          live->parser != ParserName(ParserOf(options, given->path, true, live));
  auto extracted = ExtractText(bytes, extractor, needs_text ? std::nullopt : live->extraction,
                               {.failed = options.retry_failed,
                                .encrypted = options.retry_encrypted,
                                .all = options.reextract},
                               *options.extractors);
  if (!extracted) {
    given->keeps_text = true;
    given->extraction = live->extraction;
    return {};
  }
  given->text = std::move(extracted->text);
  given->meta = std::move(extracted->meta);
  given->extraction = std::move(extracted->row);
  return std::move(extracted->files);
}

// Sets the text and the record of a decoded text.
void TakeDecoded(FileContent content, const BuildOptions& options, ProvidedDocument* given) {
  const ExtractionRow row = RowOfDecoded(*content.original);
  given->text = std::move(content.bytes);
  given->extraction = row;
  const Parser parser = ResolveParser(options.parser, given->path);
  const bool has_front_matter =
      options.extract_meta && parser != Parser::kPlain && parser != Parser::kCode;
  const std::string front =
      has_front_matter ? ExtractMetadata(given->text).object.value_or("") : std::string();
  given->meta = MetaOfDecoded(*content.original, row, front);
}

// Sets the text of a file, and what is known of its original. Returns: the files attached to it.
std::vector<AttachedFile> TakeContent(FileContent content, const std::optional<DocRow>& live,
                                      const BuildOptions& options, ProvidedDocument* given) {
  if (content.extractor) {
    return ExtractInto(content.bytes, *content.extractor, live, options, given);
  }
  if (content.original) {
    TakeDecoded(std::move(content), options, given);
  } else {
    given->text = std::move(content.bytes);
  }
  return {};
}

void RemarkOnBadBytes(PreparedDocument* prepared) {
  const auto& row = prepared->doc.extraction;
  if (!row || row->format != kDecodedFormat || row->warnings.empty()) return;
  prepared->remarks.push_back({prepared->doc.path, "bytes that are not of its charset " +
                                                       CharsetOf(*row) + " became U+FFFD"});
}

// A document that stays encrypted is not written again, but the user has given passwords.
void RemarkOnPasswords(const BuildOptions& options, PreparedDocument* prepared) {
  const auto& row = prepared->doc.extraction;
  if (!options.retry_encrypted || !row || row->outcome != OutcomeName(ExtractOutcome::kEncrypted)) {
    return;
  }
  prepared->remarks.push_back({prepared->doc.path, "no text (encrypted): " + row->reason});
}

// Parses source code by `doc->grammar`. What was not parsed can be with --rechunk, once it is
// possible: it then has no grammar.
OutlineAnswer OutlineOf(const std::string& text, const BuildOptions& options, DocRow* doc) {
  if (doc->grammar.empty()) return {};
  OutlineAnswer parsed = options.code_parsers->Outline(doc->grammar, text);
  const bool tried =
      parsed.outcome == OutlineOutcome::kOutline || parsed.outcome == OutlineOutcome::kNone;
  if (!tried) doc->grammar.clear();
  return parsed;
}

std::vector<ChunkSpan> CutText(std::string_view text, Parser parser, const ChunkOptions& options,
                               const OutlineAnswer& parsed,
                               const std::optional<ExtractionRow>& extraction,
                               uint32_t tokenizer_version) {
  std::vector<uint64_t> page_starts;
  if (extraction) page_starts = PageStartsOf(extraction->spans, text.size());
  const bool has_outline = parsed.outcome == OutlineOutcome::kOutline;
  std::vector<ChunkSpan> spans =
      ChunkText(text, parser, options, has_outline ? &parsed.outline : nullptr, page_starts);
  if (spans.empty() && HasNameSpans(tokenizer_version)) AddNameSpan(&spans);
  return spans;
}

Outcome Compare(const DocRow& doc, const std::optional<DocRow>& live, uint32_t tokenizer_version) {
  if (!live) return Outcome::kAdded;
  if (!SameExtraction(doc, *live)) return Outcome::kUpdated;
  if (doc.hash != live->hash || doc.parser != live->parser ||
      doc.supplied_vector != live->supplied_vector || doc.language != live->language ||
      HasOtherTitleTokens(doc, *live, tokenizer_version)) {
    return Outcome::kUpdated;
  }
  const bool same = doc.mtime == live->mtime && doc.tag == live->tag &&
                    doc.source == live->source && doc.meta == live->meta &&
                    doc.origin == live->origin &&
                    (!doc.extraction || doc.extraction == live->extraction);
  return same ? Outcome::kUnchanged : Outcome::kRefreshed;
}

}  // namespace

TermBuilder::TermBuilder(std::shared_ptr<const EmbeddingSpace> space, uint32_t tokenizer_version,
                         std::unique_ptr<Embedder> embedder)
    : space_(std::move(space)),
      embedder_(embedder ? std::move(embedder) : space_->NewEmbedder()),
      tokenizer_version_(tokenizer_version),
      tokenizer_(std::make_unique<DocumentTokenizer>(tokenizer_version)),
      lexical_(kEmbedBatch),
      vectors_(kEmbedBatch * embedder_->identity().dim) {}

Result<DocumentTerms> TermBuilder::Build(const DocRow& doc, std::string_view text,
                                         const std::vector<ChunkSpan>& spans, size_t first,
                                         size_t last, std::span<const QuantizedVector> given) {
  const size_t dim = embedder_->identity().dim;
  tokenizer_->Begin(doc.path, doc.parser, doc.meta, doc.language.code, text);
  DocumentTerms terms;
  std::vector<std::string_view> batch;
  std::vector<std::string_view> bodies;
  for (size_t begin = first; begin < last; begin += kEmbedBatch) {
    const size_t end = std::min(begin + kEmbedBatch, last);
    batch.clear();
    bodies.clear();
    for (size_t i = begin; i < end; ++i) {
      batch.push_back(text.substr(spans[i].start_byte, spans[i].end_byte - spans[i].start_byte));
      LexicalText& lexical = lexical_[i - begin];
      tokenizer_->Analyze(spans[i].heading, spans[i].start_byte, batch.back(), &lexical);
      bodies.push_back(lexical.body);
      terms.lexical_tokens.push_back(lexical.tokens);
      postings_.AddRow(lexical.body, lexical.compound);
      if (postings_.waiting() >= kPostingsAtATime) terms.postings.push_back(postings_.Take());
    }
    terms.postings.push_back(postings_.Take());
    const std::span<float> vectors(vectors_.data(), batch.size() * dim);
    if (given.empty()) RECALL_TRY(EmbedAnalyzed(*embedder_, batch, bodies, vectors));
    for (size_t i = begin; i < end; ++i) {
      terms.vectors.push_back(
          given.empty() ? space_->vectors().Quantize(vectors.subspan((i - begin) * dim, dim))
                        : space_->vectors().AssignList(given[i]));
    }
  }
  return terms;
}

Result<std::shared_ptr<const Redactor>> RedactorFor(SecretPolicy policy,
                                                    const SecretSettings& settings) {
  if (policy != SecretPolicy::kRedact && policy != SecretPolicy::kSkip) return nullptr;
  RECALL_ASSIGN(Redactor redactor, Redactor::Make(settings.rules, settings.allow));
  return std::make_shared<const Redactor>(std::move(redactor));
}

bool IsKnownByTime(const std::optional<DocRow>& live, const std::optional<UnixNanos>& mtime,
                   std::string_view origin, const BuildOptions& options) {
  // What is asked to be extracted again must be read.
  if (options.reextract || options.retry_failed || options.retry_encrypted || options.rechunk ||
      (live && options.language && !HasLanguage(*live, *options.language))) {
    return false;
  }
  return options.mtime_only && live && mtime && live->mtime == mtime && live->origin == origin &&
         SameLabels(*live, options);
}

std::vector<QuantizedVector> TermBuilder::SuppliedVectors(const DocRow& doc, size_t chunks) const {
  if (!space_->is_user_supplied()) return {};
  const auto vector = DecodeSuppliedVector(doc.supplied_vector);
  if (!vector || vector->size() != space_->geometry().dim()) return {};
  return std::vector(chunks, space_->vectors().Quantize(*vector));
}

PreparedDocument PrepareDocument(ProvidedDocument given, const std::optional<DocRow>& live,
                                 const BuildOptions& options, TermBuilder& terms) {
  PreparedDocument prepared;
  const bool redacts = options.secrets == SecretPolicy::kRedact;
  std::vector<DocumentSecret> secrets;
  if (redacts) secrets = RedactGiven(*options.redactor, &given);
  std::vector<DocumentSecret> of_labels = SecretsOfLabels(given, options);
  std::string shortfall;
  prepared.doc = DescribeDocument(given, live, options, &shortfall);
  if (redacts) of_labels = RedactLabels(*options.redactor, &prepared.doc);
  const std::string& path = prepared.doc.path;
  if (!shortfall.empty()) prepared.remarks.push_back({"front matter of " + path, shortfall});
  const Parser parser = ParserOf(options, path, IsOfOtherFormat(prepared.doc.extraction), live);
  prepared.outcome = Compare(prepared.doc, live, terms.tokenizer_version());
  const auto will_write = [&] {
    return prepared.outcome == Outcome::kAdded || prepared.outcome == Outcome::kUpdated;
  };
  if (parser == Parser::kCode && !given.keeps_text && (will_write() || options.rechunk)) {
    if (options.code_parsers != nullptr) {
      prepared.doc.grammar = options.code_parsers->GrammarFor(path, given.text);
    }
    if (!will_write() && prepared.doc.grammar != live->grammar) {
      prepared.outcome = Outcome::kUpdated;
    }
  }
  const bool writes = will_write();
  const bool skips = options.secrets == SecretPolicy::kSkip;
  if (skips || (writes && options.secrets == SecretPolicy::kWarn)) {
    secrets = SecretPlaces(skips ? options.redactor->Find(given.text) : FindSecrets(given.text),
                           path, given.text);
  }
  if (skips || prepared.outcome != Outcome::kUnchanged) {
    secrets.insert(secrets.end(), of_labels.begin(), of_labels.end());
  }
  if (skips && !secrets.empty()) return SkippedForSecrets(std::move(secrets), live.has_value());
  if (writes || prepared.outcome == Outcome::kRefreshed) prepared.secrets = std::move(secrets);
  if (!writes) RemarkOnPasswords(options, &prepared);
  if (!writes || given.keeps_text) return prepared;
  RemarkOnBadBytes(&prepared);
  if (options.dry_run) return prepared;

  const OutlineAnswer parsed = OutlineOf(given.text, options, &prepared.doc);
  prepared.spans = CutText(given.text, parser, options.chunking, parsed, prepared.doc.extraction,
                           terms.tokenizer_version());
  prepared.text_blocks = CompressText(given.text);
  if (parser == Parser::kCode) prepared.doc.grams = MakeTextGrams(given.text);
  if (parser == Parser::kNote) {
    prepared.links = LinksOfNote(given.text, prepared.doc.meta);
  }
  prepared.space = terms.space().row().id;
  std::vector<QuantizedVector> vectors = terms.SuppliedVectors(prepared.doc, prepared.spans.size());
  if (given.text.size() > kLargeDocumentBytes) {
    prepared.text = std::move(given.text);
    prepared.vectors = std::move(vectors);
    return prepared;
  }
  auto built =
      terms.Build(prepared.doc, given.text, prepared.spans, 0, prepared.spans.size(), vectors);
  if (built) {
    prepared.terms = std::move(*built);
  } else {
    prepared.embedding = built.error();
  }
  return prepared;
}

PreparedDocument RejectedDocument(const FoundFile& file, const Status& status) {
  PreparedDocument prepared;
  // Not text, too large, or compressed in a way that cannot be unpacked.
  const bool unsuitable = status.code() == StatusCode::kInvalidArgument ||
                          status.code() == StatusCode::kLimitExceeded ||
                          status.code() == StatusCode::kCorruption ||
                          status.code() == StatusCode::kUnsupported;
  const bool removed = status.code() == StatusCode::kNotFound && !file.named;
  prepared.outcome = unsuitable || removed ? Outcome::kSkipped : Outcome::kFailed;
  prepared.fault = {file.doc_path, 0, file.doc_path,
                    removed ? "it was removed before it was read" : std::string(status.message()),
                    SkipReasonOf(status)};
  return prepared;
}

SkipReason SkipReasonOf(const Status& fault) {
  if (fault.code() == StatusCode::kLimitExceeded) return SkipReason::kTooLarge;
  return fault.code() == StatusCode::kInvalidArgument ? SkipReason::kNotText : SkipReason::kOther;
}

Result<FileContent> ReadContent(const FoundFile& file, const BuildOptions& options) {
  return ReadDocumentFile(FilePathOf(file, options.store_root), ReadersOf(options),
                          options.max_file_bytes, options.max_document_bytes);
}

ContentReaders ReadersOf(const BuildOptions& options) {
  return {options.extractors, options.encoding};
}

namespace {

// Prepares the files that are attached to a document: documents "mail.eml!/report.pdf", which may
// have files of their own. They are compared with the store when they are written, because what is
// there is not known here.
void PrepareAttached(std::vector<AttachedFile> files, const std::string& path,
                     const std::optional<std::optional<UnixNanos>>& mtime,
                     const BuildOptions& options, TermBuilder& terms, int depth,
                     PreparedDocument* prepared) {
  constexpr int kMostNesting = 4;
  if (depth == kMostNesting) return;
  std::map<std::string, int> used;
  for (AttachedFile& file : files) {
    auto name = NormalMemberName(file.name);
    std::string member = name ? *name : std::string("attachment");
    if (const int times = used[member]++; times > 0) member += "#" + std::to_string(times + 1);
    ProvidedDocument given;
    given.path = path + "!/" + member;
    given.origin = kMemberOrigin;
    given.mtime = mtime;
    FileContent content;
    content.bytes = std::move(file.bytes);
    const Status is_text = CompleteContent(member, ReadersOf(options), &content);
    if (!is_text.ok()) {
      PreparedDocument skipped;
      skipped.outcome = Outcome::kSkipped;
      skipped.fault = {given.path, 0, given.path, std::string(is_text.message()),
                       SkipReason::kNotText};
      prepared->attached.push_back(std::move(skipped));
      continue;
    }
    std::vector<AttachedFile> inner =
        TakeContent(std::move(content), std::nullopt, options, &given);
    const std::string inner_path = given.path;
    prepared->attached.push_back(PrepareDocument(std::move(given), std::nullopt, options, terms));
    PrepareAttached(std::move(inner), inner_path, mtime, options, terms, depth + 1, prepared);
  }
}

}  // namespace

PreparedDocument PrepareContent(FileContent content, ProvidedDocument given,
                                const std::optional<DocRow>& live, const BuildOptions& options,
                                TermBuilder& terms) {
  const std::string path = given.path;
  const auto mtime = given.mtime;
  std::string remark = std::move(content.remark);
  std::vector<AttachedFile> files = TakeContent(std::move(content), live, options, &given);
  PreparedDocument prepared = PrepareDocument(std::move(given), live, options, terms);
  if (!remark.empty()) prepared.remarks.push_back({path, std::move(remark)});
  PrepareAttached(std::move(files), path, mtime, options, terms, 0, &prepared);
  return prepared;
}

PreparedDocument BuildDocument(const FoundFile& file, const std::optional<DocRow>& live,
                               const BuildOptions& options, TermBuilder& terms) {
  if (IsKnownByTime(live, file.mtime, kFileOrigin, options)) return PreparedDocument();
  return BuildDocument(file, ReadContent(file, options), live, options, terms);
}

PreparedDocument BuildDocument(const FoundFile& file, Result<FileContent> content,
                               const std::optional<DocRow>& live, const BuildOptions& options,
                               TermBuilder& terms) {
  if (IsKnownByTime(live, file.mtime, kFileOrigin, options)) return PreparedDocument();
  if (!content) return RejectedDocument(file, content.error());
  ProvidedDocument given;
  given.path = file.doc_path;
  given.origin = kFileOrigin;
  given.mtime = file.mtime;
  return PrepareContent(std::move(*content), std::move(given), live, options, terms);
}

}  // namespace recall
