#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recall {

// What a name says about its value.
enum class SecretFamily : uint8_t {
  kNone,
  kWeak,      // perhaps a secret: `x_key`
  kKey,       // `api_key`, `token`, `client_secret`
  kPassword,  // chosen by people: shorter
};

// How closely a name and its value are connected.
enum class SecretEvidence : uint8_t {
  kAssigned,   // `=`, `:`, a flag
  kMentioned,  // a comma, "is", a cell of a table: the value must say more
};

// Returns what a name says about its value. name[begin, end) is a keyword of `family`. Returns
// kNone if the word goes on (`tokenizer`), or if other words say that the value is no secret:
// `token_url`, `public_key`, `next_page_token`.
SecretFamily FamilyOfName(std::string_view name, size_t begin, size_t end, SecretFamily family);

// Whether no word of the name says that its value is harmless: `heroku_url`.
bool MayNameSecret(std::string_view name);

// Whether a value stands for another one or for none: `${TOKEN}`, `<your key>`, `xxxx`, a URL.
bool IsPlaceholder(std::string_view value);

bool IsUuid(std::string_view value);

// Whether a value is a secret, given what its name says.
bool IsSecretValue(std::string_view value, SecretFamily family, SecretEvidence evidence);

// Whether a value that a person may have chosen (`Winter2024!`) is a secret, because its name is
// exact: capital letters that end in PASSWORD, PASSWD or PASSPHRASE.
bool IsPersonsPassword(std::string_view name, std::string_view value, SecretFamily family,
                       SecretEvidence evidence);

}  // namespace recall
