# Installs the build in BUILD under PREFIX, then configures, builds and runs the consumer with nothing but that prefix.
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
