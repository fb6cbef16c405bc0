#include "query/measure/eval/scratch_store.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

namespace recall {
namespace {

namespace fs = std::filesystem;

// The subdirectory of the documents.
constexpr const char* kFiles = "documents";

Result<std::string> MakeDirectory() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) {
    return Fail(Status::IoError("there is no temporary directory: " + error.message(),
                                "set TMPDIR to a directory that exists"));
  }
  std::string name = (parent / "recall-eval-XXXXXX").string();
  if (::mkdtemp(name.data()) != nullptr) return name;
  return Fail(Status::IoError(
      "cannot create a directory in " + parent.string() + ": " + std::strerror(errno),
      "set TMPDIR to a writable directory"));
}

}  // namespace

Result<std::unique_ptr<ScratchStore>> ScratchStore::Create(const CreateOptions& settings) {
  RECALL_ASSIGN(std::string directory, MakeDirectory());
  std::unique_ptr<ScratchStore> store(new ScratchStore(std::move(directory)));
  RECALL_ASSIGN(store->database_, Database::Create(store->directory_ + "/recall.db", settings));
  return store;
}

ScratchStore::~ScratchStore() {
  database_.reset();
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

std::string ScratchStore::StoredPath(const std::string& path) {
  return std::string(kFiles) + "/" + path;
}

Status ScratchStore::Write(const std::string& path, std::string_view text) {
  const fs::path file = fs::path(directory_) / kFiles / path;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out && !error) return Status::Ok();
  return Status::IoError("cannot write " + file.string(),
                         "set TMPDIR to a directory with space for all documents");
}

Result<AddReport> ScratchStore::Index(const EvalProgressFn& progress,
                                      const std::atomic<bool>& cancel) {
  const fs::path files = fs::path(directory_) / kFiles;
  AddRequest request;
  request.paths = {files.string()};
  request.hidden = true;
  RECALL_ASSIGN(AddReport report, Add(std::move(request), progress, cancel));
  std::error_code ignored;
  fs::remove_all(files, ignored);
  return report;
}

Result<AddReport> ScratchStore::IndexDirectory(const std::string& directory,
                                               const ExtractSettings& extract,
                                               const EvalProgressFn& progress,
                                               const std::atomic<bool>& cancel) {
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    return Fail(Status::NotFound("there is no directory " + directory));
  }
  AddRequest request;
  request.paths = {directory};
  request.root = directory;
  request.extract = extract;
  return Add(std::move(request), progress, cancel);
}

Result<AddReport> ScratchStore::Add(AddRequest request, const EvalProgressFn& progress,
                                    const std::atomic<bool>& cancel) {
  request.ignore_files = false;
  request.secrets = SecretPolicy::kKeep;
  RECALL_ASSIGN(AddReport report, database_->Add(request, [&](const AddProgress& done) {
    if (cancel.load(std::memory_order_relaxed)) database_->Cancel();
    if (progress) {
      progress("indexed " + std::to_string(done.files_done) + " of " +
               std::to_string(done.files_total) + " documents");
    }
  }));
  if (report.cancelled || cancel.load(std::memory_order_relaxed)) {
    return Fail(Status::Cancelled("interrupted"));
  }
  return report;
}

}  // namespace recall
