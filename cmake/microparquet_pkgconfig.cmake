# microparquet_pkgconfig(NAME LIBRARY DESCRIPTION [REQUIRED...]): NAME.pc for those who build without CMake; it finds its folders
# from its own place, so that what is installed can be moved. Programs are compiled for what the library is: desktop or device.
function(microparquet_pkgconfig name library description)
  list(JOIN ARGN ", " required)
  file(RELATIVE_PATH prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  file(WRITE ${PROJECT_BINARY_DIR}/${name}.pc
"prefix=\${pcfiledir}/${prefix}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}

Name: ${name}
Description: ${description}
Version: ${PROJECT_VERSION}
License: MIT
Requires: ${required}
Cflags: -I\${includedir} -DMICROPARQUET_DESKTOP=${MICROPARQUET_DESKTOP}
Libs: -L\${libdir} -l${library}
")
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
