# Writes ${OUT}, a source file that defines kSchemaTexts as one JSON object: each schema of the directory ${SCHEMAS} by
# its name ("search" for search.schema.json).
file(GLOB files ${SCHEMAS}/*.schema.json)
list(SORT files)
file(WRITE ${OUT} "#include \"cli/server/serve/schema_texts.h\"

namespace recall {

const std::string_view kSchemaTexts = R\"TEXT({")
set(comma "")
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  string(REPLACE ".schema.json" "" name ${name})
  file(READ ${file} text)
  file(APPEND ${OUT} "${comma}\"${name}\":")
  file(APPEND ${OUT} "${text}")
  set(comma ",")
endforeach()
file(APPEND ${OUT} "})TEXT\";

}  // namespace recall
")
