// One run of `recall add`: finds the files (or opens the file of JSON lines), passes them to the
// ingest pipeline, and with --sync removes documents whose files no longer exist.
//
//   paths, files_from  ->  walk  ->  FileSource | FilesAndArchives  ->  IngestDocuments  ->  report
//   jsonl                        ->  DocumentLines                  ->
//
// Sync is the dangerous part: a document must not be removed because its file could not be read or
// was not visited. Documents are removed only if
//   - the run was neither cancelled nor ended by max_errors, and
//   - every root directory and file could be read, and
//   - the path lies below a root and passes the same globs and ignore rules as the walk, and
//   - it came from a file, which does not exist (MissingFiles), or from an archive that this run
//   has
//     read and that no longer has it (MissingMembers).
// All removals are one commit. The existence of each file is checked again in that transaction.
//
// Progress by bytes: files are counted by their size; in JSON lines and archives, by the bytes read
// so far. The total size of archives is not known in advance.

#include "query/add/documents/add.h"

#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "index/base/glob/path_glob.h"
#include "index/base/paths/doc_path.h"
#include "index/base/paths/source_files.h"
#include "index/base/paths/working_directory.h"
#include "index/base/text/utf8.h"
#include "index/source/code/code_grammar.h"
#include "index/source/code/grammar_notes.h"
#include "index/source/extract/charset/charset_decoder.h"
#include "index/source/extract/process/extractor_pool.h"
#include "index/source/extract/process/password_reader.h"
#include "index/source/extract/types/locator_text.h"
#include "index/source/extract/worker/sandbox.h"
#include "index/write/ingest/archive_source.h"
#include "index/write/ingest/ingest.h"
#include "index/write/ingest/missing_members.h"
#include "index/write/ingest/name_list.h"
#include "index/write/ingest/walker.h"
#include "index/write/local/local_store.h"
#include "query/add/documents/missing_documents.h"
#include "query/add/records/document_fields.h"
#include "query/add/records/document_lines.h"
#include "query/add/records/transfer_dependencies.h"
#include "query/types/open_types.h"
#include "storage/base/clock.h"
#include "storage/tables/source_roots.h"

namespace recall {
namespace {

constexpr uint64_t kMostDocumentBytes = 256ull << 20;  // of a file of another format

BuildOptions MakeBuildOptions(const AddDependencies& deps, const AddRequest& request,
                              std::shared_ptr<const Redactor> redactor) {
  const StoreSettings& settings = deps.store->settings();
  BuildOptions options;
  options.store_root = deps.root;
  options.parser = request.parser;
  options.notes_folder =
      FolderBelow(request.notes_dir.value_or(deps.store->settings().notes_dir), deps.root);
  options.chunking = {settings.chunk_tokens, settings.overlap_tokens};
  options.extract_meta = request.extract_meta;
  options.mtime_only = request.mtime_only;
  options.rechunk = request.rechunk;
  options.dry_run = request.dry_run;
  options.max_file_bytes = request.max_file_bytes;
  if (request.memory_bytes) {
    options.max_file_bytes =
        std::min(options.max_file_bytes, PlanMemory(*request.memory_bytes).largest_file);
  }
  options.max_archive_bytes = request.max_archive_bytes;
  options.max_document_bytes = std::min(options.max_file_bytes, kMostDocumentBytes);
  options.encoding = request.encoding;
  if (!request.language.empty()) options.language = request.language;
  options.retry_failed = request.extract.retry_failed;
  options.retry_encrypted = !request.extract.password_file.empty();
  options.reextract = request.extract.reextract;
  options.secrets = request.secrets;
  options.redactor = std::move(redactor);
  options.tag = request.tag;
  options.source = request.source;
  options.embedders = deps.embedders;
  return options;
}

std::string NameOf(SkipReason reason) {
  switch (reason) {
    case SkipReason::kNotText:
      return "not_text";
    case SkipReason::kTooLarge:
      return "too_large";
    case SkipReason::kSecrets:
      return "secrets";
    case SkipReason::kOther:
      break;
  }
  return "other";
}

bool IsDirectory(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

// One run, from the request to the report.
class AddRun final {
 public:
  AddRun(const AddDependencies& deps, const AddRequest& request,
         std::shared_ptr<const Redactor> redactor, PasswordSource passwords,
         const AddProgressFn& progress)
      : deps_(deps),
        request_(request),
        options_(MakeBuildOptions(deps, request, std::move(redactor))),
        progress_(progress) {
    const ExtractSettings& extract = request.extract;
    if (extract.program.empty()) return;
    ExtractProgram program{.path = extract.program,
                           .unsafe = extract.unsafe,
                           .timeout = std::chrono::milliseconds(extract.timeout_ms)};
    size_t most_workers = 0;
    if (request.memory_bytes) {
      const ExtractionMemory memory = PlanExtraction(*request.memory_bytes);
      program.memory_bytes = memory.process_bytes;
      most_workers = memory.workers;
    }
    extractors_ = std::make_unique<ExtractorPool>(
        std::move(program), ExtractLimits(), extract.all_html,
        deps.extractors ? *deps.extractors : std::vector<UserExtractor>(), deps.cancel,
        most_workers, std::move(passwords));
    if (extract.documents) options_.extractors = extractors_.get();
    if (extract.definitions) options_.code_parsers = extractors_.get();
  }

  Result<AddReport> Run() {
    const Status done = request_.jsonl.empty() ? AddFiles() : AddLines();
    if (done.code() == StatusCode::kCancelled) {
      counts_.cancelled = true;
    } else {
      RECALL_TRY(done);
    }
    shown_.removed = static_cast<int64_t>(removed_.size());
    ShowProgress(counts_);
    return Report();
  }

 private:
  Status AddFiles() {
    for (const auto* patterns : {&request_.globs, &request_.ignores}) {
      for (const std::string& pattern : *patterns) RECALL_TRY(CheckGlob(pattern));
    }
    RECALL_ASSIGN(const WalkResult walk, Walk());
    RECALL_TRY(SettleKnownRoots());
    const auto as_read = [](int64_t bytes) { return bytes; };
    if (std::ranges::any_of(walk.files, &FoundFile::is_archive)) {
      // The number and size of documents in archives are not known in advance.
      FilesAndArchives source(&walk.files, WalkOptionsOf(), &options_, deps_.cancel);
      const Status done = Ingest(source, as_read);
      left_out_.hidden.files += source.hidden_members();
      RECALL_TRY(done);
      return request_.sync ? RemoveMissing(walk, source.listings()) : Status::Ok();
    }
    shown_.files_total = static_cast<int64_t>(walk.files.size());
    for (const FoundFile& file : walk.files) shown_.bytes_total += file.size;
    FileSource source(&walk.files, &options_);
    RECALL_TRY(Ingest(source, as_read));
    return request_.sync ? RemoveMissing(walk, {}) : Status::Ok();
  }

  Status AddLines() {
    const bool is_file = !request_.lines && request_.jsonl != "-";
    if (is_file && IsFileOfStore(request_.jsonl, deps_.store->path())) {
      return Status::InvalidArgument(request_.jsonl + " is the store itself",
                                     "specify a file with one document per line");
    }
    RECALL_ASSIGN(const auto lines, DocumentLines::Open(request_, &options_, deps_.cancel));
    shown_.bytes_total = lines->file().bytes_total();
    const Status done = Ingest(*lines, [&](int64_t) { return lines->file().bytes_read(); });
    notes_ = lines->notes().Sentences();
    return done;
  }

  // Removes nothing if a root could not be read or the run ended early, because a file that was not
  // visited need not be missing.
  Status RemoveMissing(const WalkResult& walk, const ArchiveListings& archives) {
    if (counts_.cancelled || counts_.gave_up) return Status::Ok();
    if (const std::string root = UnreadRoot(walk); !root.empty()) {
      notes_.push_back("no document was removed, because " + root + " could not be read");
      return Status::Ok();
    }
    MissingFiles gone_files(roots_, deps_.root, WalkOptionsOf(), walk, known_roots_);
    MissingMembers gone(&gone_files, &archives, WalkOptionsOf());
    MissingFilesRequest request;
    request.is_missing = [&gone](const std::string& path, std::string_view origin) {
      return gone.IsMissing(path, origin);
    };
    request.cancel = deps_.cancel;
    request.tag = request_.tag;
    request.source = request_.source;
    request.under = NamesOfOnly();
    request.dry_run = request_.dry_run;
    RECALL_ASSIGN(removed_, RemoveMissingDocuments(*deps_.store, request));
    return Status::Ok();
  }

  // The paths of all documents that AddRequest::only may be about: a file has a name by this run,
  // by each recorded root above it, by the store's directory, and its absolute path.
  std::optional<std::vector<std::string>> NamesOfOnly() const {
    if (!request_.only) return std::nullopt;
    std::vector<SourceRoot> roots = known_roots_;
    roots.push_back({"", deps_.root});
    if (base_) roots.push_back(*base_);
    std::set<std::string> names;
    for (const std::string& path : *request_.only) {
      if (!IsValidUtf8(path)) continue;
      names.insert(path);
      for (const SourceRoot& root : roots) {
        const std::string directory = DirectoryOf(root, deps_.root);
        if (IsAtOrBelow(path, directory)) names.insert(NameBelow(root, directory, path));
        if (IsAtOrBelow(directory, path)) names.insert(root.prefix.empty() ? "." : root.prefix);
      }
    }
    return std::vector<std::string>(names.begin(), names.end());
  }

  // Returns: a root that the walk could not read, in printable form; "" if all were read.
  std::string UnreadRoot(const WalkResult& walk) const {
    if (!walk.missing.empty()) return PrintablePath(walk.missing.front());
    std::set<std::string> roots;
    for (const std::string& root : roots_) roots.insert(AbsoluteLexicalPath(root));
    for (const auto* faults : {&walk.unreadable, &walk.skipped}) {
      for (const PathFault& fault : *faults) {
        if (roots.contains(fault.absolute)) return fault.path;
      }
    }
    return {};
  }

  std::vector<std::string> PasswordFiles() const {
    std::vector<std::string> files;
    if (!request_.extract.password_file.empty()) files.push_back(request_.extract.password_file);
    if (deps_.passwords != nullptr && !deps_.passwords->file.empty()) {
      files.push_back(deps_.passwords->file);
    }
    return files;
  }

  WalkOptions WalkOptionsOf() const {
    return {.globs = request_.globs,
            .ignores = request_.ignores,
            .ignore_files = request_.ignore_files,
            .hidden = request_.hidden,
            .base = base_,
            .archives = request_.archives,
            .mailboxes = options_.extractors != nullptr,
            .store_path = deps_.store->path(),
            .password_files = PasswordFiles(),
            .cancel = deps_.cancel,
            .only = request_.only ? &*request_.only : nullptr,
            .on_directory = request_.on_directory};
  }

  // Determines what documents are named by, from --root and --as.
  Status SettleBase() {
    if (!request_.root && !request_.prefix) return Status::Ok();
    SourceRoot base;
    base.prefix = request_.prefix.value_or("");
    while (base.prefix.ends_with('/')) base.prefix.pop_back();
    if (request_.prefix &&
        (!IsNormalPath(base.prefix) || base.prefix.starts_with('/') || !IsValidUtf8(base.prefix))) {
      return Status::InvalidArgument(
          "--as " + PrintablePath(*request_.prefix) + " is not a prefix of document paths",
          "specify a relative path without . and .., such as docs/api");
    }
    if (request_.root) {
      if (!request_.root->starts_with('/')) RECALL_TRY(CheckHasPlace(*request_.root));
      base.directory = AbsoluteLexicalPath(*request_.root);
      if (!IsDirectory(base.directory)) {
        return Status::NotFound("no such directory: " + *request_.root, "nothing was added");
      }
    } else {
      if (roots_.size() != 1) {
        return Status::InvalidArgument("--as needs one PATH, or --root DIR that contains them all",
                                       "for example: --root /usr/share --as debian");
      }
      base.directory = AbsoluteLexicalPath(roots_.front());
      if (!IsDirectory(base.directory)) {
        base.directory = AbsoluteLexicalPath(base.directory + "/..");
      }
    }
    for (const std::string& root : roots_) {
      if (IsAtOrBelow(AbsoluteLexicalPath(root), base.directory)) continue;
      return Status::InvalidArgument(
          PrintablePath(root) + " is not below --root " + PrintablePath(*request_.root),
          "specify a directory that contains all paths");
    }
    base_ = std::move(base);
    return Status::Ok();
  }

  // Reads the recorded roots and records that of this run. Those of the same prefix whose
  // directories do not exist any more are forgotten: the directory has moved.
  Status SettleKnownRoots() {
    {
      RECALL_ASSIGN(const auto present, deps_.store->BeginRead());
      RECALL_ASSIGN(known_roots_, ReadSourceRoots(present->connection()));
    }
    if (!base_) return Status::Ok();
    SourceRoot root = *base_;
    root.directory = DocPathOf(base_->directory, deps_.root);
    if (root.prefix.empty() && root.directory == ".") return Status::Ok();
    if (std::ranges::find(known_roots_, root) != known_roots_.end()) return Status::Ok();
    const auto has_moved = [&](const SourceRoot& known) {
      return known.prefix == root.prefix && !IsDirectory(DirectoryOf(known, deps_.root));
    };
    if (!request_.dry_run) {
      RECALL_ASSIGN(const auto transaction, deps_.store->BeginWrite());
      for (const SourceRoot& known : known_roots_) {
        if (has_moved(known)) RECALL_TRY(DeleteSourceRoot(transaction->connection(), known));
      }
      RECALL_TRY(WriteSourceRoot(transaction->connection(), root));
      RECALL_TRY(transaction->Commit());
    }
    std::erase_if(known_roots_, has_moved);
    known_roots_.push_back(std::move(root));
    return Status::Ok();
  }

  // Finds the files to examine. Files that are missing, unreadable or skipped are counted. Errors:
  // NotFound if a path of the request does not exist.
  Result<WalkResult> Walk() {
    roots_ = request_.paths;
    if (!request_.files_from.empty()) {
      RECALL_ASSIGN(auto names,
                    ReadNameList(request_.files_from, request_.null_names, deps_.cancel));
      std::move(names.begin(), names.end(), std::back_inserter(roots_));
    }
    const auto relative = std::ranges::find_if(
        roots_, [](const std::string& root) { return !root.starts_with('/'); });
    if (relative != roots_.end()) RECALL_TRY(CheckHasPlace(*relative));
    RECALL_TRY(SettleBase());
    WalkResult walk = FindFiles(roots_, deps_.root, WalkOptionsOf());
    if (walk.cancelled) return Fail(Status::Cancelled("interrupted"));
    left_out_ = walk.left_out;
    for (const std::string& path : request_.paths) {
      if (std::ranges::find(walk.missing, path) == walk.missing.end()) continue;
      return Fail(Status::NotFound("no such file or directory: " + path, "nothing was added"));
    }
    for (const std::string& name : std::set(walk.missing.begin(), walk.missing.end())) {
      const std::string shown = PrintablePath(name);
      counts_.Fail({IsValidUtf8(name) ? name : shown, 0, shown, "no such file or directory"});
    }
    if (const auto& files = walk.skipped_ignore_files; !files.empty()) {
      notes_.push_back(
          "skipped the rules of " + PrintablePath(files.front()) +
          (files.size() == 1 ? std::string()
                             : " and " + std::to_string(files.size() - 1) + " more") +
          ": the ignore files that apply to a directory may have at most 1 MiB in total");
    }
    for (PathFault& fault : walk.unreadable) {
      counts_.Fail({fault.path, 0, fault.path, std::move(fault.reason)});
    }
    for (PathFault& fault : walk.skipped) {
      counts_.Skip({fault.path, 0, fault.path, std::move(fault.reason)});
    }
    return walk;
  }

  // `bytes_done` converts the number of bytes of the documents read so far into the progress of the
  // source.
  Status Ingest(IngestSource& source, const std::function<int64_t(int64_t)>& bytes_done) {
    int64_t last_shown = SteadyMicros();
    const auto on_progress = [&](const IngestCounts& counts, int64_t documents, int64_t bytes) {
      shown_.files_done = documents;
      shown_.bytes_done = bytes_done(bytes);
      if (SteadyMicros() - last_shown < kProgressMicros) return;
      last_shown = SteadyMicros();
      ShowProgress(counts);
    };
    const MemoryPlan memory = PlanMemory(request_.memory_bytes.value_or(kDefaultMemory));
    // This fails before any thread starts if the store's embedder is not available.
    RECALL_ASSIGN(const auto space, OpenSpace(*deps_.store, options_.embedders));
    LocalStore store(deps_.store, space);
    if (request_.jsonl.empty() && !IsServerAddress(deps_.store->path())) {
      store.RecordHome(IdentityOfDirectory(deps_.root));
    }
    return IngestDocuments(store, space, source, options_,
                           {.threads = deps_.threads,
                            .max_failures = request_.max_errors,
                            .in_flight_bytes = memory.in_flight_bytes},
                           *deps_.cancel, on_progress, &counts_);
  }

  void ShowProgress(const IngestCounts& counts) {
    static_cast<OutcomeCounts&>(shown_) = counts;
    if (progress_) progress_(shown_);
  }

  AddReport Report() {
    AddReport report;
    static_cast<OutcomeCounts&>(report) = counts_;
    report.removed = static_cast<int64_t>(removed_.size());
    removed_.resize(std::min(removed_.size(), IngestCounts::kMaxReported));
    report.removed_paths = std::move(removed_);
    report.left_out = left_out_;
    report.chunks = counts_.chunks;
    report.bytes = counts_.bytes;
    report.cancelled = counts_.cancelled;
    report.gave_up = counts_.gave_up;
    report.fault = counts_.source_fault;
    report.warnings = std::move(notes_);
    TakeSkips(&report);
    TakeSecrets(&report);
    report.extracted = std::move(counts_.extracted);
    for (DocumentWithoutText& document : counts_.without_text) {
      report.without_text.push_back(
          {std::move(document.path), std::move(document.outcome), std::move(document.reason)});
    }
    report.decoded = std::move(counts_.decoded);
    WarnOfDocumentsWithoutText(&report);
    NoteDecoded(&report);
    WarnOfUnparsedCode(&report);
    if (!HasSandbox() && !report.extracted.empty()) report.warnings.emplace_back(kNoSandboxWarning);
    Warn(request_.jsonl.empty() ? "cannot read " : "cannot add ", counts_.failures, counts_.failed,
         &report.warnings);
    TakeRemarks(&report);
    if (counts_.without_vector > 0) {
      const int64_t count = counts_.without_vector;
      report.warnings.push_back(
          std::to_string(count) + (count == 1 ? " document has" : " documents have") +
          " no embedding; only lexical search finds " + (count == 1 ? "it" : "them"));
    }
    for (DocumentFault& fault : counts_.failures) {
      report.failures.push_back({std::move(fault.path), fault.line, std::move(fault.reason)});
    }
    return report;
  }

  void WarnOfUnparsedCode(AddReport* report) const {
    if (!extractors_) return;
    const OutlineOutcome problem = extractors_->outline_problem();
    const auto languages = extractors_->languages_without_grammar();
    std::string why;
    if (problem == OutlineOutcome::kNoLibrary) {
      why = "libtree-sitter is not installed (package libtree-sitter0)";
    } else if (problem == OutlineOutcome::kUnconfined) {
      why = "this system cannot confine what parses it; --unsafe-extract does it nevertheless";
    } else if (!languages.empty()) {
      why = WithoutGrammarsNote(languages, GrammarNames().size());
    } else {
      return;
    }
    report->warnings.push_back("source code is cut by its lines, because " + why +
                               "; add --rechunk cuts it again");
  }

  // A sentence about the charsets of the texts that were decoded.
  static void NoteDecoded(AddReport* report) {
    std::string list;
    int64_t total = 0;
    for (const auto& [charset, count] : report->decoded) {
      total += count;
      list += (list.empty() ? "" : ", ") + charset + " " + std::to_string(count);
    }
    if (total == 0) return;
    report->warnings.push_back("decoded " + std::to_string(total) +
                               (total == 1 ? " text that is" : " texts that are") +
                               " not valid UTF-8 (" + list + "); --encoding names another charset");
  }

  // A sentence for each document, or for many of one outcome.
  static void WarnOfDocumentsWithoutText(AddReport* report) {
    constexpr int64_t kMostNamed = 3;
    for (const AddWithoutText& document : report->without_text) {
      if (report->extracted[document.outcome] > kMostNamed) continue;
      report->warnings.push_back("no text in " + PrintablePath(document.path) + " (" +
                                 document.outcome + "): " + document.reason);
    }
    for (const auto& [outcome, count] : report->extracted) {
      if (outcome == OutcomeName(ExtractOutcome::kText) || count <= kMostNamed) continue;
      report->warnings.push_back("no text in " + std::to_string(count) + " documents (" + outcome +
                                 "); `recall query \"FROM doc FILTER doc.extracted = '" + outcome +
                                 "' SELECT doc.path\"` lists them");
    }
  }

  void TakeSkips(AddReport* report) {
    for (const DocumentFault& fault : counts_.skips) {
      report->skips.push_back({NameOf(fault.skip), "skip " + fault.what + ": " + fault.reason});
    }
    for (const auto& [of, count] : counts_.skipped_by) {
      report->skipped_by.push_back({NameOf(of.first), of.second, count});
    }
    std::ranges::stable_sort(report->skipped_by, std::greater(), &AddSkipCount::count);
  }

  void TakeSecrets(AddReport* report) {
    report->secrets_found = counts_.secrets_found;
    for (DocumentSecret& secret : counts_.secrets) {
      report->secrets.push_back({std::move(secret.path), secret.line, std::move(secret.kind)});
    }
    if (counts_.kept_with_secrets_found > 0) report->warnings.push_back(KeptWithSecrets());
    report->secrets_in_store = std::move(counts_.kept_with_secrets);
    if (counts_.secrets_found == 0 || request_.secrets == SecretPolicy::kSkip) return;
    const bool one = counts_.secrets_found == 1;
    const std::string found =
        std::to_string(counts_.secrets_found) + (one ? " credential" : " credentials");
    report->warnings.push_back(request_.secrets == SecretPolicy::kRedact
                                   ? "redacted " + found
                                   : "the texts contain " + found + "; --secrets redact replaces " +
                                         (one ? "it" : "them") +
                                         ", --secrets skip leaves such files out");
    for (const AddSecret& secret : report->secrets) {
      const std::string place =
          secret.line == 0 ? "a label" : "line " + std::to_string(secret.line);
      report->warnings.push_back("credential in " + PrintablePath(secret.path) + ", " + place +
                                 ": " + secret.kind);
    }
  }

  // What became of the documents that were added before and are now skipped.
  std::string KeptWithSecrets() const {
    constexpr size_t kMostNamed = 3;
    const auto count = static_cast<size_t>(counts_.kept_with_secrets_found);
    std::string names;
    for (size_t i = 0; i < std::min(count, kMostNamed); ++i) {
      names += (i > 0 ? ", " : "") + PrintablePath(counts_.kept_with_secrets[i]);
    }
    if (count > kMostNamed) names += " and " + std::to_string(count - kMostNamed) + " more";
    const bool one = count == 1;
    return std::to_string(count) +
           (one ? " document that was added before stays"
                : " documents that were added before stay") +
           " in the store: " + names + "; `recall rm` removes " + (one ? "it" : "them") +
           ", and `recall rm --purge` also " + (one ? "its text" : "their texts") +
           " from the file";
  }

  void TakeRemarks(AddReport* report) const {
    for (const DocumentRemark& remark : counts_.remarks) {
      report->warnings.push_back(PrintablePath(remark.about) + ": " + remark.text);
    }
    const int64_t more = counts_.remarks_made - static_cast<int64_t>(counts_.remarks.size());
    if (more > 0) {
      report->warnings.push_back(std::to_string(more) + " more remarks, which are not listed");
    }
  }

  static void Warn(const std::string& verb, const std::vector<DocumentFault>& faults, int64_t count,
                   std::vector<std::string>* warnings) {
    for (const DocumentFault& fault : faults) {
      warnings->push_back(verb + fault.what + ": " + fault.reason);
    }
    const int64_t more = count - static_cast<int64_t>(faults.size());
    if (more > 0) warnings->push_back(verb + std::to_string(more) + " more, which are not listed");
  }

  const AddDependencies& deps_;
  const AddRequest& request_;
  BuildOptions options_;
  std::unique_ptr<ExtractorPool> extractors_;
  const AddProgressFn& progress_;
  std::vector<std::string> roots_;
  std::optional<SourceRoot> base_;  // its directory is absolute
  std::vector<SourceRoot> known_roots_;
  AddProgress shown_;
  IngestCounts counts_;
  LeftOutCounts left_out_;
  std::vector<std::string> removed_;  // paths
  std::vector<std::string> notes_;    // warnings
};

}  // namespace

Result<AddReport> RunAdd(const AddDependencies& deps, const AddRequest& request,
                         const AddProgressFn& progress) {
  if (!request.encoding.empty() && !IsKnownCharset(request.encoding)) {
    return Fail(Status::InvalidArgument("unknown encoding \"" + request.encoding + "\"",
                                        "examples: windows-1250, iso-8859-2, koi8-r, shift_jis"));
  }
  if (!request.language.empty() && !CanBeLanguage(request.language)) {
    return Fail(Status::InvalidArgument("unknown language \"" + request.language + "\"",
                                        "a code of two letters, such as de, or none"));
  }
  RECALL_ASSIGN(auto redactor, RedactorFor(request.secrets, request.secret_settings));
  PasswordSource passwords = deps.passwords != nullptr ? *deps.passwords : PasswordSource();
  if (!request.extract.password_file.empty()) {
    passwords = {};
    RECALL_ASSIGN(passwords.given, ReadPasswordFile(request.extract.password_file));
  }
  return AddRun(deps, request, std::move(redactor), std::move(passwords), progress).Run();
}

}  // namespace recall
