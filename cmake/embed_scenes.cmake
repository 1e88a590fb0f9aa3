# Run as a script: writes the scene files of SCENE_DIR and the DEMs that they use into OUTPUT as
# tables of byte arrays.
# Bytes, not string literals: C limits the length of those.
file(GLOB names RELATIVE ${SCENE_DIR} ${SCENE_DIR}/*.toml)
list(TRANSFORM names REPLACE "\\.toml$" "") # so that "passages" comes before "passages-cross"
list(SORT names)
set(arrays "")
set(rows "")
foreach(name IN LISTS names)
  set(path ${SCENE_DIR}/${name}.toml)
  string(MAKE_C_IDENTIFIER ${name} symbol)
  file(STRINGS ${path} description REGEX "^description = \".*\"$")
  string(REGEX REPLACE "^description = " "" description "${description}")
  string(REPLACE "\\;" ";" description "${description}") # CMake guards semicolons in lists
  if(NOT description)
    message(FATAL_ERROR "${path} has no line description = \"...\"")
  endif()
  file(READ ${path} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const unsigned char scene_${symbol}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", ${description}, (const char *)scene_${symbol}, sizeof scene_${symbol} - 1},\n")
endforeach()
file(GLOB files RELATIVE ${SCENE_DIR} ${SCENE_DIR}/*.asc)
list(SORT files)
set(file_rows "")
foreach(name IN LISTS files)
  string(MAKE_C_IDENTIFIER ${name} symbol)
  file(READ ${SCENE_DIR}/${name} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const unsigned char file_${symbol}[] = {${bytes}0};\n")
  string(APPEND file_rows "    {\"${name}\", (const char *)file_${symbol}, sizeof file_${symbol} - 1},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_scenes.cmake.
#include \"scene/builtin.h\"

${arrays}
const rl_builtin_scene rl_builtin_scenes[] = {
${rows}    {0, 0, 0, 0},
};

const rl_builtin_file rl_builtin_files[] = {
${file_rows}    {0, 0, 0},
};
")
