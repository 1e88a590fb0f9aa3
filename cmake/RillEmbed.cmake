# Files that travel inside the binaries.

# Carries scenes/*.toml and their DEMs inside the library, so that `rill run spring` needs no file.

set(RILL_SCENE_DIR ${PROJECT_SOURCE_DIR}/scenes)

function(rill_embed_scenes target)
  file(GLOB scenes CONFIGURE_DEPENDS ${RILL_SCENE_DIR}/*.toml ${RILL_SCENE_DIR}/*.asc)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/builtin_scenes.c)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSCENE_DIR=${RILL_SCENE_DIR}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_scenes.cmake
    DEPENDS ${scenes} ${PROJECT_SOURCE_DIR}/cmake/embed_scenes.cmake
    COMMENT "Embedding the built-in scenes" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# Carries the shaders of render/shaders inside the program, so that a picture needs no file.
function(rill_embed_shaders target)
  set(folder ${PROJECT_SOURCE_DIR}/render/shaders)
  file(GLOB_RECURSE shaders CONFIGURE_DEPENDS ${folder}/*.glsl)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/shader_files.c)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSHADER_DIR=${folder}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_shaders.cmake
    DEPENDS ${shaders} ${PROJECT_SOURCE_DIR}/cmake/embed_shaders.cmake
    COMMENT "Embedding the shaders" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
