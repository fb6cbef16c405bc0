# Writes ${OUT}, a source file that defines ${NAME} as the text of the file ${TEXT}.
file(READ ${TEXT} text)
string(FIND "${text}" ")TEXT\"" end_marker)
if(NOT end_marker EQUAL -1)
  message(FATAL_ERROR "${TEXT} holds the mark that ends the string literal")
endif()
file(WRITE ${OUT} "#include \"${HEADER}\"

namespace recall {

const std::string_view ${NAME} = R\"TEXT(")
file(APPEND ${OUT} "${text}")
file(APPEND ${OUT} ")TEXT\";

}  // namespace recall
")
