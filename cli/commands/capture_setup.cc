#include "cli/commands/capture_setup.h"

#include <cstdlib>
#include <optional>

#include "query/memory/sessions/capture_places.h"

namespace recall {
namespace {

std::optional<std::string> VariableOf(const char* name) {
  const char* const value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace

void SetUpCapture(const CommandContext& context, const std::string& directory,
                  CaptureRequest* request) {
  SetCapturePlaces(VariableOf, directory, request);
  request->secret_settings = context.config.secret_settings;
  request->threads = static_cast<uint32_t>(context.config.threads);
}

std::vector<std::string> WarningsOf(const CaptureReport& report) {
  std::vector<std::string> warnings = report.warnings;
  for (const CaptureFailure& failure : report.failed) {
    warnings.push_back(failure.path + ": " + failure.reason);
  }
  return warnings;
}

}  // namespace recall
