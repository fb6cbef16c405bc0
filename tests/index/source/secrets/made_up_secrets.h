#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// How secrets of one kind look. In `shape`, `{W36}` is 36 random characters of the class W: D
// digits, H hexadecimal, L lower case, U upper case, A both, W letters and digits, l lower case and
// digits, u upper case and digits, B also `_` and `-`, 6 also `+` and `/`, P of a password;
// `{uuid}` is a UUID. So no secret is written in these sources.
struct SecretShape {
  std::string_view kind;
  std::string_view shape;
  std::string_view name;  // of the variable that the secret needs before it, or ""
};

const std::vector<SecretShape>& SecretShapes();

std::string MakeUpSecret(std::string_view shape, std::mt19937_64& random);

}  // namespace recall
