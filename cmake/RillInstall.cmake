# Install and export: find_package(rill), pkg-config, the command with its manual and completion.
include(CMakePackageConfigHelpers)

set(RILL_LIBRARIES rill)
if(RILL_SCENE)
  list(APPEND RILL_LIBRARIES rill_scene)
  set_target_properties(rill_scene PROPERTIES EXPORT_NAME scene) # rill::scene
endif()
install(TARGETS ${RILL_LIBRARIES} EXPORT rill-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/rill DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT rill-targets NAMESPACE rill:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rill)
configure_package_config_file(cmake/rill-config.cmake.in rill-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rill)
write_basic_package_version_file(rill-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rill-config.cmake ${PROJECT_BINARY_DIR}/rill-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rill)

# pkg-config. The prefix is found from where the file lies, so that a tree that is installed or moved
# elsewhere names itself.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(RILL_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH RILL_PC_UP /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" RILL_PC_UP "${RILL_PC_UP}")
  set(RILL_PC_PREFIX "\${pcfiledir}/${RILL_PC_UP}")
endif()

# A static library leaves its own libraries to the program that links it; a shared one does not.
function(rill_pkg_config name description requires libs)
  set(PC_NAME ${name})
  set(PC_DESCRIPTION "${description}")
  set(PC_REQUIRES "")
  set(PC_LIBS "")
  if(name STREQUAL rill_scene)
    list(APPEND PC_REQUIRES "rill = ${PROJECT_VERSION}")
  endif()
  if(NOT BUILD_SHARED_LIBS)
    list(APPEND PC_REQUIRES ${requires})
    set(PC_LIBS "${libs}")
  endif()
  list(JOIN PC_REQUIRES ", " PC_REQUIRES)
  configure_file(cmake/rill.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

set(engine_libs "-lm -lpthread")
set(engine_requires "")
if(RILL_ODE)
  set(engine_requires ode)
endif()
if(RILL_HAS_CUDA)
  string(APPEND engine_libs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lstdc++")
endif()
rill_pkg_config(rill "${PROJECT_DESCRIPTION}" "${engine_requires}" "${engine_libs}")
if(RILL_SCENE)
  set(scene_requires "")
  if(RILL_PNG)
    list(APPEND scene_requires libpng)
  endif()
  if(RILL_GDAL)
    list(APPEND scene_requires gdal)
  endif()
  rill_pkg_config(rill_scene "Scenes, files and maps for Rill" "${scene_requires}" "-lm")
endif()

if(RILL_COMMAND)
  install(TARGETS rill-command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES docs/rill.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES apps/rill/completion/rill.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rill)
  install(FILES apps/rill/completion/_rill DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES apps/rill/completion/rill.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
