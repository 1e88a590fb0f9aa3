# Installs the build into a folder of its own and builds programs against it, through find_package and
# through pkg-config: -DBUILD, -DSOURCE, -DWORK, -DCC, -DNM, -DFLAGS, and
# -DSCENE, whether there is librill_scene.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect who words)
  if(NOT output MATCHES "${words}")
    message(FATAL_ERROR "${who} said: ${output}")
  endif()
endfunction()

function(compile_with_pkg_config source package program)
  run(pkg-config --cflags --libs ${package})
  string(STRIP "${output}" flags)
  separate_arguments(flags UNIX_COMMAND "${flags} ${FLAGS} ${ARGN}")
  run(${CC} -std=gnu17 ${SOURCE}/${source} -o ${WORK}/${program} ${flags})
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)

# find_package(rill) gives rill::rill and rill::scene.
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/pond -DCMAKE_PREFIX_PATH=${WORK}/prefix
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/pond)
run(${WORK}/pond/pond)
expect("find_package: pond" "water 50.000000 m3")
if(SCENE)
  run(${WORK}/pond/brook)
  expect("find_package: brook" "scene lake-at-rest")
endif()

# pkg-config names the place that the tree was moved to.
file(RENAME ${WORK}/prefix ${WORK}/elsewhere)
file(GLOB_RECURSE pc ${WORK}/elsewhere/rill.pc)
get_filename_component(pc ${pc} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc})
set(ENV{LD_LIBRARY_PATH} ${pc}/..) # for shared libraries
run(pkg-config --cflags rill)
if(NOT output MATCHES "-I${WORK}/elsewhere/")
  message(FATAL_ERROR "pkg-config --cflags rill does not name ${WORK}/elsewhere: ${output}")
endif()
compile_with_pkg_config(pond.c rill pond_pc)
run(${WORK}/pond_pc)
expect("pkg-config: pond" "water 50.000000 m3")
if(SCENE)
  compile_with_pkg_config(brook.c rill_scene brook_pc)
  run(${WORK}/brook_pc)
  expect("pkg-config: brook" "scene lake-at-rest")
endif()

# Nothing is global in a static library but what the public headers declare.
file(GLOB archives ${WORK}/elsewhere/lib*/*.a ${WORK}/elsewhere/lib*/*/*.a)
foreach(archive IN LISTS archives)
  run(${NM} -g --defined-only ${archive})
  string(REGEX MATCHALL "[0-9a-f]+ [A-Z] [^\n]+" symbols "${output}")
  list(FILTER symbols EXCLUDE REGEX " rill_")
  if(symbols)
    message(FATAL_ERROR "${archive} has global symbols of its own: ${symbols}")
  endif()
endforeach()

# GNU readline has functions of its own that begin with rl_.
execute_process(COMMAND ${CC} -E -include stdio.h -include readline/readline.h -x c /dev/null
                RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(failed)
  message("readline is not installed: the program that links it was left out")
else()
  compile_with_pkg_config(readline_host.c rill readline_host -lreadline)
  run(${WORK}/readline_host)
  expect("readline" "line pour, water 50.000000 m3")
endif()
message("find_package, pkg-config and symbols: ok")
