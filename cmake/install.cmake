# `cmake --install` gives the program, the headers, one library per layer, and find_package(ta2s2).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY TA2S2_LAYERS)
install(TARGETS ${layers} ta2s2_all ta2s2_build_flags EXPORT ta2s2Targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ta2s2_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/ta2s2 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ta2s2Targets NAMESPACE ta2s2:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ta2s2)
configure_package_config_file(cmake/ta2s2Config.cmake.in ${CMAKE_BINARY_DIR}/ta2s2Config.cmake
        INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ta2s2)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ta2s2ConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ta2s2Config.cmake ${CMAKE_BINARY_DIR}/ta2s2ConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ta2s2)
