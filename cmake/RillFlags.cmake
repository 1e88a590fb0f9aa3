# Flags that every target of Rill shares. The number rules stand here: no contraction and no
# fast-math, so that the same input gives the same bits on every instruction set.

set(RILL_NUMBER_FLAGS -ffp-contract=off -fno-math-errno -fno-trapping-math)
set(RILL_WARNING_FLAGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
    -Wmissing-prototypes)
if(RILL_WERROR)
  list(APPEND RILL_WARNING_FLAGS -Werror)
endif()

# Linking a hundred tests takes a quarter of the time with gold.
include(CheckLinkerFlag)
check_linker_flag(C -fuse-ld=gold RILL_GOLD)

# C17 without GNU extensions: gnu17 would turn contraction back on.
function(rill_flags target)
  set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON
                        C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE ${RILL_NUMBER_FLAGS} ${RILL_WARNING_FLAGS}
                         $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
  if(RILL_ASSERTIONS OR RILL_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_definitions(${target} PRIVATE RL_ASSERTIONS=1)
  endif()
  if(RILL_GOLD)
    target_link_options(${target} PRIVATE -fuse-ld=gold)
  endif()
  if(RILL_SANITIZE)
    # Reports name lines; more about variables makes the build a fifth longer, and so does -O3, which
    # the tests hardly notice.
    target_compile_options(${target} PRIVATE -fsanitize=${RILL_SANITIZE} -O2 -g1 -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${RILL_SANITIZE})
  endif()
endfunction()
