#include "cli/commands/page_flag.h"

namespace recall {

void PageFlag::Declare(FlagSet& flags) {
  flags.Text("--html", &path_, "FILE", "also write a page with pictures to this file");
}

Status PageFlag::Check() const {
  if (path_ && path_->empty()) return Status::InvalidArgument("--html needs a file name");
  return {};
}

Status PageFlag::Begin(const std::atomic<bool>* cancel) {
  if (!path_) return {};
  RECALL_ASSIGN(file_, OutputFile::Create(*path_, cancel));
  return {};
}

Status PageFlag::Finish(const std::function<std::string()>& page) {
  if (!file_) return {};
  RECALL_TRY(file_->Write(page()));
  return file_->Finish();
}

}  // namespace recall
