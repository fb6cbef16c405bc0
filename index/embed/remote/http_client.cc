#include "index/embed/remote/http_client.h"

#include <curl/curl.h>

#include <algorithm>

#include "index/base/program/without_sigpipe.h"
#include "storage/base/dynamic_library.h"

namespace recall {
namespace {

// HTTP by libcurl, loaded when needed. The problem with linking libcurl: it brings about thirty
// shared libraries (TLS, Kerberos, LDAP, ...), which the dynamic loader would map and relocate at
// every start of the program, although few users embed over HTTP. A command-line query takes a few
// milliseconds, so that cost would be visible (docs/decisions/0006-start-up.md). LoadCurl therefore
// resolves the nine functions that are used when the first client is made, and a machine without
// libcurl gets Unsupported with a hint. The library is never unloaded.
//
// Choices that matter for safety:
// - Only http and https are allowed, and redirections are not followed: the Authorization header
//   must not reach another host.
// - The body of a response is limited; Receive() aborts the transfer at the limit.
// - The timeout covers the whole request. CURLOPT_NOSIGNAL and WithoutSigpipe keep signals away
//   from the embedding process.
// - Requests to this machine bypass proxies.
//
// The handle keeps the connection open between requests. Transient failures (no connection,
// timeout, connection broken off, 429, 5xx) are marked `may_pass`; the caller decides whether to
// retry.

// The functions of libcurl that are used. In curl.h their names are also macros that check types.
struct CurlLibrary {
  decltype(&curl_global_init) global_init;
  decltype(&curl_easy_init) easy_init;
  CURLcode (*set)(CURL*, CURLoption, ...);
  decltype(&curl_easy_perform) perform;
  CURLcode (*get)(CURL*, CURLINFO, ...);
  decltype(&curl_easy_cleanup) cleanup;
  decltype(&curl_easy_strerror) describe;
  decltype(&curl_slist_append) append;
  decltype(&curl_slist_free_all) free_all;
};

// Returns: the functions of libcurl, which is never unloaded; null if it is not installed.
const CurlLibrary* LoadCurl() {
  void* library = nullptr;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    if ((library = OpenLibrary(name)) != nullptr) break;
  }
  if (library == nullptr) return nullptr;
  static CurlLibrary curl;
  const bool all = LoadSymbol(library, "curl_global_init", &curl.global_init) &&
                   LoadSymbol(library, "curl_easy_init", &curl.easy_init) &&
                   LoadSymbol(library, "curl_easy_setopt", &curl.set) &&
                   LoadSymbol(library, "curl_easy_perform", &curl.perform) &&
                   LoadSymbol(library, "curl_easy_getinfo", &curl.get) &&
                   LoadSymbol(library, "curl_easy_cleanup", &curl.cleanup) &&
                   LoadSymbol(library, "curl_easy_strerror", &curl.describe) &&
                   LoadSymbol(library, "curl_slist_append", &curl.append) &&
                   LoadSymbol(library, "curl_slist_free_all", &curl.free_all);
  return all && curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? &curl : nullptr;
}

const CurlLibrary* Curl() {
  static const CurlLibrary* const curl = LoadCurl();
  return curl;
}

struct Receiver {
  std::string* body;
  size_t most;
  bool too_large;
};

size_t Receive(const char* data, size_t size, size_t count, void* context) {
  auto* receiver = static_cast<Receiver*>(context);
  const size_t bytes = size * count;
  receiver->too_large = bytes > receiver->most - receiver->body->size();
  if (receiver->too_large) return 0;
  receiver->body->append(data, bytes);
  return bytes;
}

// libcurl calls it at least once a second; other values than 0 end the transfer.
int StopIfCancelled(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto* cancel = static_cast<const std::atomic<bool>*>(context);
  return cancel->load(std::memory_order_relaxed) ? 1 : 0;
}

// Whether the failure may be transient. A name that does not resolve or an invalid certificate is
// permanent.
bool MayPass(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
      return true;
    default:
      return false;
  }
}

}  // namespace

Result<std::unique_ptr<HttpClient>> HttpClient::Make() {
  const CurlLibrary* curl = Curl();
  CURL* handle = curl != nullptr ? curl->easy_init() : nullptr;
  if (handle == nullptr) {
    return Fail(Status::Unsupported("libcurl, which embedders over HTTP need, cannot be loaded",
                                    "install it: apt install libcurl4"));
  }
  return std::unique_ptr<HttpClient>(new HttpClient(handle));
}

HttpClient::~HttpClient() { Curl()->cleanup(static_cast<CURL*>(handle_)); }

HttpAnswer HttpClient::Post(const HttpPost& request) {
  const CurlLibrary& curl = *Curl();
  CURL* handle = static_cast<CURL*>(handle_);
  HttpAnswer answer;
  Receiver receiver = {&answer.body, request.most_bytes, false};
  char reason[CURL_ERROR_SIZE] = "";
  curl_slist* headers = nullptr;
  // Suppresses "Expect: 100-continue", which costs a round trip.
  headers = curl.append(headers, "Expect:");
  for (const std::string& header : request.headers) {
    headers = curl.append(headers, header.c_str());
  }
  curl.set(handle, CURLOPT_URL, request.url.c_str());
  curl.set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl.set(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl.set(handle, CURLOPT_POSTFIELDS, request.body.data());
  curl.set(handle, CURLOPT_HTTPHEADER, headers);
  curl.set(handle, CURLOPT_WRITEFUNCTION, &Receive);
  curl.set(handle, CURLOPT_WRITEDATA, &receiver);
  curl.set(handle, CURLOPT_ERRORBUFFER, reason);
  curl.set(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  curl.set(handle, CURLOPT_NOSIGNAL, 1L);
  curl.set(handle, CURLOPT_NOPROXY, request.direct ? "*" : nullptr);
  curl.set(handle, CURLOPT_NOPROGRESS, request.cancel == nullptr ? 1L : 0L);
  curl.set(handle, CURLOPT_XFERINFOFUNCTION, &StopIfCancelled);
  curl.set(handle, CURLOPT_XFERINFODATA, request.cancel);
  CURLcode code;
  {
    const WithoutSigpipe guard;
    code = curl.perform(handle);
  }
  curl.free_all(headers);
  answer.too_large = receiver.too_large;
  if (code != CURLE_OK) {
    answer.error = reason[0] != '\0' ? reason : curl.describe(code);
    answer.may_pass = MayPass(code);
    return answer;
  }
  long status = 0;
  curl_off_t retry_after = 0;
  curl.get(handle, CURLINFO_RESPONSE_CODE, &status);
  curl.get(handle, CURLINFO_RETRY_AFTER, &retry_after);
  answer.status = static_cast<int>(status);
  answer.retry_after = std::chrono::seconds(std::max<curl_off_t>(retry_after, 0));
  answer.may_pass = status == 429 || (status >= 500 && status <= 599);
  return answer;
}

}  // namespace recall
