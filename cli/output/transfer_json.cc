#include "cli/output/transfer_json.h"

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

}  // namespace recall
