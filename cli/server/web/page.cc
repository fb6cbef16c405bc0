#include "cli/server/web/page.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/server/web/page_files.h"
#include "storage/base/ids.h"

namespace recall {
namespace {

// The page runs the scripts and the style of this server and asks it alone, so a document cannot
// make it load or run anything else.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct ServedFile {
  std::string path;
  std::string_view type;
  std::string_view bytes;
  std::string etag;
};

std::string_view TypeOf(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  return "text/javascript; charset=utf-8";
}

// Each file has its name as path; index.html is the page itself.
std::vector<ServedFile> ServedFiles() {
  std::vector<ServedFile> served;
  for (const auto& [name, bytes] : kPageFiles) {
    std::string path = name == "index.html" ? "/" : "/" + std::string(name);
    served.push_back({std::move(path), TypeOf(name), bytes, '"' + ToHex(Sha256(bytes)) + '"'});
  }
  return served;
}

const ServedFile* FindFile(std::string_view path) {
  static const std::vector<ServedFile> files = ServedFiles();
  const auto file = std::ranges::find(files, path, &ServedFile::path);
  return file == files.end() ? nullptr : &*file;
}

// Whether the client has the file. `sent` is the value of If-None-Match, a list of tags; as tags
// are quoted hashes of one length, a tag that contains ours is ours.
bool HasFile(std::string_view sent, const ServedFile& file) {
  return sent == "*" || sent.find(file.etag) != std::string_view::npos;
}

}  // namespace

bool IsPagePath(std::string_view path) { return FindFile(path) != nullptr; }

HttpResponse AnswerPage(const HttpHead& head) {
  const ServedFile& file = *FindFile(head.path);
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
