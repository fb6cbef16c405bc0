# Writes ${OUT}, a source file that defines kPageFiles: the HTML, CSS and JavaScript files of the directory ${FILES}, by name.
file(GLOB files ${FILES}/*.html ${FILES}/*.css ${FILES}/*.js)
list(SORT files)
file(WRITE ${OUT} "#include \"cli/server/web/page_files.h\"

namespace recall {
namespace {

constexpr PageFile kFiles[] = {
")
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(FIND "${text}" ")TEXT\"" end_marker)
  if(NOT end_marker EQUAL -1)
    message(FATAL_ERROR "${file} holds the mark that ends the string literal")
  endif()
  file(APPEND ${OUT} "{\"${name}\", R\"TEXT(")
  file(APPEND ${OUT} "${text}")
  file(APPEND ${OUT} ")TEXT\"},\n")
endforeach()
file(APPEND ${OUT} "};

}  // namespace

const std::span<const PageFile> kPageFiles = kFiles;

}  // namespace recall
")
