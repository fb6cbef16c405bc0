#include "storage/base/cipher.h"

#include <nettle/aes.h>
#include <nettle/arcfour.h>
#include <nettle/cbc.h>
#include <nettle/md5.h>
#include <nettle/sha2.h>

#include <cstring>

#include "storage/base/check.h"

namespace recall {
namespace {

constexpr size_t kAesBlock = AES_BLOCK_SIZE;

const uint8_t* BytesOf(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}
uint8_t* BytesOf(std::string& text) { return reinterpret_cast<uint8_t*>(text.data()); }

struct AesVector {
  explicit AesVector(std::string_view vector) {
    RECALL_CHECK(vector.size() == kAesBlock);
    std::memcpy(bytes, vector.data(), kAesBlock);
  }
  uint8_t bytes[kAesBlock];
};

}  // namespace

std::string Md5(std::string_view bytes) {
  md5_ctx context;
  md5_init(&context);
  md5_update(&context, bytes.size(), BytesOf(bytes));
  std::string digest(MD5_DIGEST_SIZE, '\0');
  md5_digest(&context, digest.size(), BytesOf(digest));
  return digest;
}

std::string Sha256Bytes(std::string_view bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), BytesOf(bytes));
  std::string digest(SHA256_DIGEST_SIZE, '\0');
  sha256_digest(&context, digest.size(), BytesOf(digest));
  return digest;
}

std::string Sha384Bytes(std::string_view bytes) {
  sha512_ctx context;
  sha384_init(&context);
  sha512_update(&context, bytes.size(), BytesOf(bytes));
  std::string digest(SHA384_DIGEST_SIZE, '\0');
  sha384_digest(&context, digest.size(), BytesOf(digest));
  return digest;
}

std::string Sha512Bytes(std::string_view bytes) {
  sha512_ctx context;
  sha512_init(&context);
  sha512_update(&context, bytes.size(), BytesOf(bytes));
  std::string digest(SHA512_DIGEST_SIZE, '\0');
  sha512_digest(&context, digest.size(), BytesOf(digest));
  return digest;
}

std::string Rc4(std::string_view key, std::string_view bytes) {
  RECALL_CHECK(!key.empty() && key.size() <= ARCFOUR_MAX_KEY_SIZE);
  arcfour_ctx context;
  arcfour_set_key(&context, key.size(), BytesOf(key));
  std::string out(bytes.size(), '\0');
  arcfour_crypt(&context, out.size(), BytesOf(out), BytesOf(bytes));
  return out;
}

std::string AesCbcDecrypt(std::string_view key, std::string_view vector, std::string_view bytes) {
  AesVector iv(vector);
  std::string out(bytes.size() / kAesBlock * kAesBlock, '\0');
  if (key.size() == AES128_KEY_SIZE) {
    aes128_ctx context;
    aes128_set_decrypt_key(&context, BytesOf(key));
    cbc_decrypt(&context, reinterpret_cast<nettle_cipher_func*>(&aes128_decrypt), kAesBlock,
                iv.bytes, out.size(), BytesOf(out), BytesOf(bytes));
    return out;
  }
  RECALL_CHECK(key.size() == AES256_KEY_SIZE);
  aes256_ctx context;
  aes256_set_decrypt_key(&context, BytesOf(key));
  cbc_decrypt(&context, reinterpret_cast<nettle_cipher_func*>(&aes256_decrypt), kAesBlock, iv.bytes,
              out.size(), BytesOf(out), BytesOf(bytes));
  return out;
}

std::string AesCbcEncrypt(std::string_view key, std::string_view vector, std::string_view bytes) {
  AesVector iv(vector);
  std::string out(bytes.size() / kAesBlock * kAesBlock, '\0');
  if (key.size() == AES128_KEY_SIZE) {
    aes128_ctx context;
    aes128_set_encrypt_key(&context, BytesOf(key));
    cbc_encrypt(&context, reinterpret_cast<nettle_cipher_func*>(&aes128_encrypt), kAesBlock,
                iv.bytes, out.size(), BytesOf(out), BytesOf(bytes));
    return out;
  }
  RECALL_CHECK(key.size() == AES256_KEY_SIZE);
  aes256_ctx context;
  aes256_set_encrypt_key(&context, BytesOf(key));
  cbc_encrypt(&context, reinterpret_cast<nettle_cipher_func*>(&aes256_encrypt), kAesBlock, iv.bytes,
              out.size(), BytesOf(out), BytesOf(bytes));
  return out;
}

}  // namespace recall
