# Installs the build in BUILD under PREFIX, then configures, builds and runs the consumer with nothing but that prefix.
# The installed program finds each of its MPI modules (MODULES, the last words of their names).
file(REMOVE_RECURSE ${PREFIX} ${PREFIX}-consumer)
foreach(command
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${PREFIX}"
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${PREFIX}-consumer;-G;Ninja;-DCMAKE_PREFIX_PATH=${PREFIX};-DCMAKE_BUILD_TYPE=Release"
    "${CMAKE_COMMAND};--build;${PREFIX}-consumer"
    "${PREFIX}-consumer/consumer"
    "${PREFIX}/bin/ta2s2;--version")
  execute_process(COMMAND ${command} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${command}")
  endif()
endforeach()
foreach(module ${MODULES})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TA2S2_MPI=${module} OMPI_ALLOW_RUN_AS_ROOT=1
                          OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ${PREFIX}/bin/ta2s2 --version RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the installed program does not load its module ${module} (${result})")
  endif()
endforeach()
