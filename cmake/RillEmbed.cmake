# Carries scenes/*.toml inside the library, so that `rill run spring` needs no file.

set(RILL_SCENE_DIR ${PROJECT_SOURCE_DIR}/scenes)

function(rill_embed_scenes target)
  file(GLOB scenes CONFIGURE_DEPENDS ${RILL_SCENE_DIR}/*.toml)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/builtin_scenes.c)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSCENE_DIR=${RILL_SCENE_DIR}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_scenes.cmake
    DEPENDS ${scenes} ${PROJECT_SOURCE_DIR}/cmake/embed_scenes.cmake
    COMMENT "Embedding the built-in scenes" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
