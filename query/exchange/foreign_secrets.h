#pragma once

#include "index/source/secrets/secret_settings.h"
#include "query/compat/memories/foreign_memory.h"
#include "query/types/exchange_types.h"
#include "storage/base/status.h"

namespace recall {

// Does with the credentials in the notes of a memory what the policy says, before paths are made of
// titles and ids: kRedact replaces them and counts them in report->redacted, kSkip removes such
// notes and counts them as dropped, kWarn adds a warning about those with a format, and kKeep does
// nothing. Errors: InvalidArgument for a rule of the user that is none.
Status TreatSecrets(SecretPolicy policy, const SecretSettings& settings, ForeignMemory* memory,
                    ImportReport* report);

}  // namespace recall
