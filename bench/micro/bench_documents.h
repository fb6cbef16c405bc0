#pragma once

// Made-up documents, the same in every run. Archives are stored without compression.

#include <string>

namespace recall {

std::string MadeUpDocx();  // 30 KB
std::string MadeUpPptx();  // 40 KB
std::string MadeUpXlsx();  // 40 KB
std::string MadeUpOdt();   // 30 KB
std::string MadeUpEpub();  // 160 KB, of twenty chapters
std::string MadeUpPage();  // 130 KB of HTML
// What `pdftotext -bbox-layout` prints of a book.
std::string MadeUpPdfLayout(int pages);
std::string MadeUpSource();  // 500 functions of C++

}  // namespace recall
