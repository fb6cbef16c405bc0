#include "cli/output/transfer_output.h"

#include "cli/output/text_output.h"

namespace recall {

Json ToJson(const ImportReport& report) {
  return {{"added", report.added},
          {"updated", report.updated},
          {"refreshed", report.refreshed},
          {"unchanged", report.unchanged},
          {"chunks", report.chunks},
          {"vectors_taken", report.vectors_taken},
          {"vectors_rebuilt", report.vectors_rebuilt},
          {"lines", report.lines},
          {"cancelled", report.cancelled}};
}

std::string ToText(const ImportReport& report, bool dry_run) {
  std::string text = (dry_run ? "Would add " : "Added ") + std::to_string(report.added) +
                     (dry_run ? ", update " : ", updated ") + std::to_string(report.updated);
  if (report.refreshed > 0) {
    text += (dry_run ? ", refresh " : ", refreshed ") + std::to_string(report.refreshed);
  }
  return text + (dry_run ? ", leave " : ", unchanged ") + Plural(report.unchanged, "document") +
         " (" + Plural(report.chunks, "chunk") + ")";
}

}  // namespace recall
