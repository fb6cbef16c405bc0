// Plans how the documents of a store are brought up to date with their files.
//
// A changed document is added again by an AddRequest of its own kind: under the name that it has,
// with its parser, and with metadata, redaction and all text of web pages if the stored version has
// them. Documents of one kind are one request. A deleted document is removed if its directory still
// has something in it; an empty or missing one may be a disk that is not mounted. A request that is
// about some directories says that these are there; an unattended one does not, but takes a missing
// directory for deleted if the one above it has something in it. Which files are new is found out
// in new_files.cc; they are added like another document, with its tag, its source and the language
// that it was given.

#include "query/add/documents/refresh_plan.h"

#include <algorithm>
#include <filesystem>

#include "index/base/paths/doc_path.h"
#include "index/base/paths/source_files.h"
#include "index/source/archive/archive_names.h"
#include "index/source/secrets/secret_marker.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

bool HasEntries(const fs::path& directory) {
  std::error_code error;
  return fs::directory_iterator(directory, error) != fs::directory_iterator();
}

// Whether the nearest directory above `file` that exists has something in it.
bool HasEntriesAbove(const fs::path& file) {
  std::error_code error;
  fs::path directory = file.parent_path();
  while (directory.has_relative_path() && !fs::exists(directory, error)) {
    directory = directory.parent_path();
  }
  return HasEntries(directory);
}

// Whether a file that does not exist at any of these places was deleted.
bool IsSettled(const std::vector<SourceCandidate>& candidates, const RefreshRequest& request) {
  if (request.unattended) {
    return std::ranges::all_of(candidates, HasEntriesAbove, &SourceCandidate::path);
  }
  return !request.below.empty() ||
         std::ranges::any_of(candidates, [](const SourceCandidate& candidate) {
           return HasEntries(fs::path(candidate.path).parent_path());
         });
}

// The document that is a file: that of an attached one, or of the archive of a member.
std::string FileOf(const DocRow& doc) {
  if (doc.origin != kMemberOrigin) return doc.path;
  if (const auto parts = SplitMemberPath(doc.path)) return std::string(parts->archive);
  return doc.path.substr(0, doc.path.find("!/"));
}

}  // namespace

Status RefreshPlanner::Add(const DocRow& doc, SourceState state) {
  if (state == SourceState::kCurrent) return {};
  RECALL_ASSIGN(const std::vector<SourceRoot> roots, texts_.ReadSourceRoots());
  const std::string file = FileOf(doc);
  const auto candidates = CandidatesOf(file, store_root_, roots);
  const auto exists = [](const SourceCandidate& candidate) {
    std::error_code error;
    return fs::is_regular_file(candidate.path, error);
  };
  const auto found = std::ranges::find_if(candidates, exists);
  if (state == SourceState::kChanged && found != candidates.end()) {
    return AddAs(doc, *found, false);
  }
  const bool settled = found != candidates.end() || IsSettled(candidates, request_);
  // By its id, which means no other document whatever the working directory is.
  if (state == SourceState::kDeleted && settled) plan_.remove.targets.push_back(ToHex(doc.id));
  return {};
}

Status RefreshPlanner::AddNew(const DocRow& doc, const SourceCandidate& file) {
  return AddAs(doc, file, true);
}

RefreshPlan RefreshPlanner::Take() {
  for (auto& [kind, add] : plan_.adds) {
    std::ranges::sort(add.paths);
    add.paths.erase(std::ranges::unique(add.paths).begin(), add.paths.end());
  }
  return std::move(plan_);
}

Status RefreshPlanner::AddAs(const DocRow& doc, const SourceCandidate& file, bool is_new) {
  AddRequest request = request_.like;
  RECALL_ASSIGN(const auto extraction, texts_.ReadExtraction(doc.row));
  RECALL_ASSIGN(const std::string text, texts_.ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
  const auto parser = ParserFromName(doc.parser);
  const bool usual = extraction || !parser || doc.origin == kMemberOrigin ||
                     ResolveParser(Parser::kAuto, doc.path) == *parser ||
                     *parser == Parser::kNote || *parser == Parser::kSession;
  if (!usual) request.parser = *parser;
  request.extract_meta = doc.meta.has_value() && !extraction;
  if (extraction) request.extract.all_html = extraction->extractor.starts_with("html-all/");
  if (text.find(kSecretMarker) != text.npos) request.secrets = SecretPolicy::kRedact;
  if (is_new) {
    request.tag = doc.tag;
    request.source = doc.source;
    const bool no_language = doc.language.code.empty();
    if (doc.language.is_given) request.language = no_language ? "none" : doc.language.code;
  }
  const std::string prefix = FileOf(doc).substr(0, file.prefix_bytes);
  if (!file.directory.empty()) request.root = file.directory;
  if (!prefix.empty()) request.prefix = prefix;
  const auto part = [](const std::optional<std::string>& label) {
    return label ? "=" + *label + '\n' : std::string("\n");
  };
  const std::string kind = doc.parser + '\n' + (request.extract_meta ? "meta" : "") + '\n' +
                           (request.extract.all_html ? "all" : "") + '\n' +
                           (request.secrets == SecretPolicy::kRedact ? "redact" : "") + '\n' +
                           (usual ? "" : "given") + '\n' + file.directory + '\n' + prefix + '\n' +
                           part(request.tag) + part(request.source) + request.language;
  AddRequest& group = plan_.adds.try_emplace(kind, std::move(request)).first->second;
  group.paths.push_back(file.path);
  return {};
}

}  // namespace recall
