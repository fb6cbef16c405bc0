#include "cli/server/web/page.h"

#include <array>
#include <string>

#include "cli/server/web/page_files.h"
#include "storage/base/ids.h"

namespace recall {
namespace {

// The page runs its own script and style and asks this server, and nothing else, whatever a
// document contains.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct PageFile {
  std::string_view path;
  std::string_view type;
  std::string_view bytes;
  std::string etag;
};

const std::array<PageFile, 3>& PageFiles() {
  const auto make = [](std::string_view path, std::string_view type, std::string_view bytes) {
    return PageFile{path, type, bytes, '"' + ToHex(Sha256(bytes)) + '"'};
  };
  static const std::array<PageFile, 3> files = {
      make("/", "text/html; charset=utf-8", kPageHtml),
      make("/recall.css", "text/css; charset=utf-8", kPageStyle),
      make("/recall.js", "text/javascript; charset=utf-8", kPageScript)};
  return files;
}

const PageFile* FindPageFile(std::string_view path) {
  for (const PageFile& file : PageFiles()) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

// `sent`: the value of If-None-Match, a list of tags. No other tag can contain ours.
bool HasFile(std::string_view sent, const PageFile& file) {
  return sent == "*" || sent.find(file.etag) != std::string_view::npos;
}

}  // namespace

bool IsPagePath(std::string_view path) { return FindPageFile(path) != nullptr; }

HttpResponse AnswerPage(const HttpHead& head) {
  const PageFile& file = *FindPageFile(head.path);
  HttpResponse response;
  response.content_type = file.type;
  response.headers = {{"ETag", file.etag},
                      {"Cache-Control", "no-cache"},  // another program may answer here next time
                      {"Content-Security-Policy", std::string(kPolicy)},
                      {"Referrer-Policy", "no-referrer"},
                      // Pages of other origins cannot use the files, nor hold on to this window.
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Cross-Origin-Opener-Policy", "same-origin"}};
  if (HasFile(head.Header("if-none-match"), file)) {
    response.status = 304;
  } else {
    response.body = file.bytes;
  }
  return response;
}

}  // namespace recall
