#include "query/memory/notes/note_dependencies.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "query/ask/answer/targets.h"
#include "storage/file_io/output_file.h"

namespace recall {
namespace {

Status WriteWhole(const std::string& path, std::string_view text, const std::atomic<bool>* cancel) {
  RECALL_ASSIGN(const auto file, OutputFile::Create(path, cancel));
  RECALL_TRY(file->Write(text));
  return file->Finish();
}

}  // namespace

Result<std::unique_ptr<NoteBatch>> NoteBatch::Begin(LocalStore& store,
                                                    const NoteDependencies& deps) {
  auto made = std::make_unique<NoteBatch>();
  made->cancel_ = deps.cancel;
  RECALL_ASSIGN(made->batch_, store.BeginBatch());
  if (deps.space && store.space() != deps.space) {
    return Fail(Status::Busy("another process has just changed the vectors of the store",
                             "run the command again"));
  }
  std::shared_ptr<const ScopeSets> sets;
  if (deps.scope->has_value()) {
    RECALL_ASSIGN(ScopeSets evaluated, ScopeSets::Of(made->batch_->view(), **deps.scope));
    sets = std::make_shared<const ScopeSets>(std::move(evaluated));
  }
  made->visible_ = std::make_unique<const VisibleSnapshot>(made->batch_->view(), std::move(sets));
  return made;
}

NoteBatch::~NoteBatch() {
  // If this fails, too, the file has the text that was to be saved, and the next `add` takes it.
  const std::atomic<bool> go_on = false;
  for (const auto& [path, text] : old_texts_) {
    if (text) {
      WriteWhole(path, *text, &go_on).IgnoreError();
    } else {
      ::unlink(path.c_str());
    }
  }
}

Status NoteBatch::WriteFile(const std::string& path, std::string_view text,
                            std::optional<std::string> old_text) {
  // A file that this batch has not made is not removed; one that it may have changed is restored.
  const bool is_new = !old_text;
  if (!is_new) old_texts_.emplace_back(path, std::move(old_text));
  RECALL_TRY(WriteWhole(path, text, cancel_));
  if (is_new) old_texts_.emplace_back(path, std::nullopt);
  return Status::Ok();
}

Status NoteBatch::RemoveFile(const std::string& path, std::string old_text) {
  if (::unlink(path.c_str()) != 0) {
    return Status::IoError("cannot remove " + path + ": " + SystemErrorText(errno));
  }
  old_texts_.emplace_back(path, std::move(old_text));
  return Status::Ok();
}

Status NoteBatch::Commit() {
  RECALL_TRY(batch_->Commit());
  old_texts_.clear();
  return Status::Ok();
}

Result<DocRow> FindTarget(const TextsAndFacts& texts, const std::string& target,
                          const std::string& store_root) {
  RECALL_ASSIGN(auto doc, FindNamed(texts, target, store_root));
  if (doc) return *std::move(doc);
  if (const auto digits = IdDigits(target)) {
    RECALL_ASSIGN(FoundById found, FindById(texts, *digits));
    if (found.doc) return *std::move(found.doc);
  }
  RECALL_ASSIGN(const std::string hint, HintFor(texts, target, store_root));
  return Fail(Status::NotFound("the store has no document '" + target + "'", hint));
}

}  // namespace recall
