#include "query/notes/note_tools.h"

#include <utility>

#include "query/answer/targets.h"

namespace recall {

Result<std::unique_ptr<NoteBatch>> NoteBatch::Begin(LocalStore& store, const NoteTools& tools) {
  auto made = std::make_unique<NoteBatch>();
  RECALL_ASSIGN(made->batch_, store.BeginBatch());
  if (tools.space && store.space() != tools.space) {
    return Fail(Status::Busy("another process has just changed the vectors of the store",
                             "run the command again"));
  }
  std::shared_ptr<const ScopeSets> sets;
  if (tools.scope->has_value()) {
    RECALL_ASSIGN(ScopeSets evaluated,
                  ScopeSets::Of(made->batch_->view().filters(), **tools.scope));
    sets = std::make_shared<const ScopeSets>(std::move(evaluated));
  }
  made->visible_ = std::make_unique<const VisibleSnapshot>(made->batch_->view(), std::move(sets));
  return made;
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
