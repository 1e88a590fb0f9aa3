# Install and export: find_package(rill), pkg-config, the command with its manual and completion.
include(CMakePackageConfigHelpers)

install(TARGETS rill EXPORT rill-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/rill DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT rill-targets NAMESPACE rill:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rill)
configure_package_config_file(cmake/rill-config.cmake.in rill-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rill)
write_basic_package_version_file(rill-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rill-config.cmake ${PROJECT_BINARY_DIR}/rill-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rill)

# A static librill leaves its own libraries to whoever links it.
set(RILL_PC_PRIVATE "-lm -lpthread")
set(RILL_PC_REQUIRES "")
if(RILL_PNG)
  list(APPEND RILL_PC_REQUIRES libpng)
endif()
if(RILL_ODE)
  list(APPEND RILL_PC_REQUIRES ode)
endif()
if(RILL_GDAL)
  list(APPEND RILL_PC_REQUIRES gdal)
endif()
if(RILL_HAS_CUDA)
  string(APPEND RILL_PC_PRIVATE " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lstdc++")
endif()
list(JOIN RILL_PC_REQUIRES ", " RILL_PC_REQUIRES)
if(BUILD_SHARED_LIBS)
  set(RILL_PC_PUBLIC_REQUIRES "")
  set(RILL_PC_LIBS "")
else()
  set(RILL_PC_PUBLIC_REQUIRES "${RILL_PC_REQUIRES}")
  set(RILL_PC_LIBS "${RILL_PC_PRIVATE}")
endif()
configure_file(cmake/rill.pc.in rill.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rill.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(RILL_COMMAND)
  install(TARGETS rill-command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES docs/rill.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES apps/rill/completion/rill.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rill)
  install(FILES apps/rill/completion/_rill DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES apps/rill/completion/rill.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
