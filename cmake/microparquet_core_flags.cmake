# microparquet_core_flags(RESULT): those compiler options of this folder that choose a core and how it passes floating
# point; of one that stands twice, the last. Empty where a target's own options choose.
function(microparquet_core_flags result)
  get_directory_property(options COMPILE_OPTIONS)
  set(core_flags "")
  foreach(name mcpu march mfpu mfloat-abi mabi)
    string(REGEX MATCHALL "-${name}=[^ ;\">]+" found "${CMAKE_CXX_FLAGS};${options}")
    if(found)
      list(POP_BACK found flag)
      list(APPEND core_flags ${flag})
    endif()
  endforeach()
  list(REMOVE_ITEM core_flags -mfloat-abi=soft)  # as without it
  list(JOIN core_flags " " core_flags)
  set(${result} "${core_flags}" PARENT_SCOPE)
endfunction()
