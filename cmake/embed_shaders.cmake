# Run as a script: writes the shader files of SHADER_DIR and its subfolders into OUTPUT as a table of
# byte arrays, each under the name of its file.
file(GLOB_RECURSE shaders ${SHADER_DIR}/*.glsl)
list(SORT shaders)
set(arrays "")
set(rows "")
foreach(path IN LISTS shaders)
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const unsigned char shader_${name}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", (const char *)shader_${name}},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_shaders.cmake.
#include \"render/shaders.h\"

${arrays}
const shader_file shader_files[] = {
${rows}    {0, 0},
};
")
