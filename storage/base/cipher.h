#pragma once

#include <string>
#include <string_view>

namespace recall {

// Ciphers and sums that encrypted documents use. Nothing of Recall's own is encrypted with them.

// RFC 1321: 16 bytes.
std::string Md5(std::string_view bytes);
// FIPS 180-4: 32, 48 and 64 bytes.
std::string Sha256Bytes(std::string_view bytes);
std::string Sha384Bytes(std::string_view bytes);
std::string Sha512Bytes(std::string_view bytes);

// RC4, which encrypts and decrypts. Requires: a key of 1 to 256 bytes.
std::string Rc4(std::string_view key, std::string_view bytes);

// AES (FIPS 197) with chained blocks and without padding. Bytes behind the last whole block are
// left out. Requires: a key of 16 or 32 bytes, and a vector of 16.
std::string AesCbcDecrypt(std::string_view key, std::string_view vector, std::string_view bytes);
std::string AesCbcEncrypt(std::string_view key, std::string_view vector, std::string_view bytes);

}  // namespace recall
