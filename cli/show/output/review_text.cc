#include "cli/show/output/review_text.h"

#include "cli/show/output/number_text.h"
#include "cli/show/output/text_output.h"
#include "cli/show/terminal/terminal.h"
#include "storage/base/clock.h"

namespace recall {

std::string DayOf(const std::optional<UnixNanos>& time) {
  return time ? FormatRfc3339(*time).substr(0, std::string_view("2026-01-01").size()) : "never";
}

std::string ReviewedText(const ReviewReport& report) {
  return "reviewed " + EscapeLine(report.doc.path) + "; next on " + DayOf(report.due) + ", in " +
         Plural(report.interval_days, "day") + ", easiness " +
         FormatNumber("%.2f", static_cast<double>(report.easiness) / 100);
}

}  // namespace recall
