#include "cli/commands/static_text.h"

namespace recall {

ExitCode AnswerWithText(Session& session, std::string_view name, const JsonFields& fields,
                        std::string_view text) {
  if (session.json()) {
    JsonResponse response;
    response.own_key = name;
    response.own = [&](JsonWriter& json) {
      if (fields) fields(json);
      json.Field("text", text);
    };
    session.Send(std::move(response));
  } else {
    session.PrintWarnings();
    session.out->Write(text);
  }
  return ExitCode::kDone;
}

}  // namespace recall
