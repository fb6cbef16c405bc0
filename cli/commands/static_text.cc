#include "cli/commands/static_text.h"

#include "cli/output/response.h"

namespace recall {

ExitCode AnswerWithText(Session& session, std::string_view name, Json fields,
                        std::string_view text) {
  if (session.json()) {
    JsonResponse response;
    response.own_key = name;
    response.own = std::move(fields);
    response.own["text"] = text;
    session.Send(std::move(response));
  } else {
    session.PrintWarnings();
    session.out->Write(text);
  }
  return ExitCode::kDone;
}

}  // namespace recall
