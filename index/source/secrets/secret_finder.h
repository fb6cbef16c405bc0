#pragma once

#include <string_view>
#include <vector>

#include "index/source/secrets/secret_rules.h"
#include "index/source/secrets/secret_scan.h"

namespace recall {

// Returns the secrets of a text, in order, not overlapping. Their kinds live as long as `rules`.
std::vector<SecretSpan> FindSecretsByRules(const SecretRules& rules, std::string_view text);

}  // namespace recall
