# How the two libraries are put together. The objects of a library are compiled once. From them come
# the library itself, which has no global symbol but those of its public headers, and for the tests of
# inner functions a plain archive of the same objects.
#
#     add_library(rill_objects OBJECT ...)   # its sources
#     rill_library(rill)                     # flags
#     rill_add_objects(rill rill_rows_c)     # further object libraries
#     rill_link(rill m)                      # what it needs
#     rill_finish_library(rill)              # makes rill, and rill_inside for the tests

# Whether objects can be linked into one, of which hidden symbols become local: GNU binutils.
find_program(RILL_OBJCOPY NAMES ${CMAKE_OBJCOPY} objcopy)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND RILL_OBJCOPY)
  set(RILL_LOCAL_SYMBOLS ON)
else()
  set(RILL_LOCAL_SYMBOLS OFF)
endif()

function(rill_library name)
  rill_flags(${name}_objects)
  target_include_directories(${name}_objects PUBLIC ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(${name}_objects PRIVATE _POSIX_C_SOURCE=200809L)
  set_property(GLOBAL PROPERTY ${name}_parts ${name}_objects)
endfunction()

function(rill_add_objects name objects)
  set_property(GLOBAL APPEND PROPERTY ${name}_parts ${objects})
endfunction()

function(rill_link name)
  target_link_libraries(${name}_objects PRIVATE ${ARGN})
  set_property(GLOBAL APPEND PROPERTY ${name}_needs ${ARGN})
endfunction()

function(rill_finish_library name)
  get_property(parts GLOBAL PROPERTY ${name}_parts)
  get_property(needs GLOBAL PROPERTY ${name}_needs)
  set(objects "")
  foreach(part IN LISTS parts)
    list(APPEND objects $<TARGET_OBJECTS:${part}>)
  endforeach()

  if(BUILD_SHARED_LIBS)
    add_library(${name} SHARED ${objects})
  elseif(RILL_LOCAL_SYMBOLS)
    # A static library usually shows all its functions to the programs that link it, and one of theirs
    # may have the same name. Linked into one object, the hidden ones can be made local.
    set(whole ${CMAKE_CURRENT_BINARY_DIR}/${name}_whole.o)
    add_custom_command(
      OUTPUT ${whole}
      COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${whole} ${objects}
      COMMAND ${RILL_OBJCOPY} --localize-hidden ${whole}
      DEPENDS ${objects} COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Hiding the inner functions of lib${name}")
    set_source_files_properties(${whole} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    add_library(${name} STATIC ${whole})
    add_dependencies(${name} ${parts})
  else()
    add_library(${name} STATIC ${objects})
  endif()
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PRIVATE ${needs})
  if(RILL_SANITIZE)
    target_link_options(${name} PUBLIC -fsanitize=${RILL_SANITIZE})
  endif()

  if(RILL_TESTS)
    add_library(${name}_inside STATIC EXCLUDE_FROM_ALL ${objects})
    set_target_properties(${name}_inside PROPERTIES LINKER_LANGUAGE C)
    target_include_directories(${name}_inside PUBLIC ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(${name}_inside PUBLIC ${needs})
  endif()
endfunction()
