# Installs the build in BUILD under PREFIX, then configures, builds and runs the consumer and the example of EXAMPLES/emulate
# with nothing but that prefix. Of the headers, those of HEADERS are there and no others.
# The installed program finds each of its MPI modules (MODULES, the last words of their names).
file(REMOVE_RECURSE ${PREFIX} ${PREFIX}-consumer)
foreach(command
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${PREFIX}"
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${PREFIX}-consumer;-G;Ninja;-DCMAKE_PREFIX_PATH=${PREFIX};-DCMAKE_BUILD_TYPE=Release;-DEXAMPLES=${EXAMPLES}"
    "${CMAKE_COMMAND};--build;${PREFIX}-consumer"
    "${PREFIX}-consumer/consumer"
    "${PREFIX}-consumer/emulate;${EXAMPLES}/data/franke_train_1.csv;${EXAMPLES}/data/franke_test.csv;${PREFIX}-consumer"
    "${PREFIX}/bin/ta2s2;--version")
  execute_process(COMMAND ${command} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${command}")
  endif()
endforeach()
file(GLOB_RECURSE public RELATIVE ${HEADERS} ${HEADERS}/*)
file(GLOB_RECURSE installed RELATIVE ${PREFIX}/include ${PREFIX}/include/*)
if(NOT installed STREQUAL public)
  message(FATAL_ERROR "expected the headers ${public}, found ${installed}")
endif()
file(STRINGS ${PREFIX}-consumer/predictions.csv predictions)
list(LENGTH predictions num_lines)
if(NOT num_lines EQUAL 101)  # a header and 100 points
  message(FATAL_ERROR "the example wrote ${num_lines} lines of predictions")
endif()
foreach(module ${MODULES})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TA2S2_MPI=${module} OMPI_ALLOW_RUN_AS_ROOT=1
                          OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ${PREFIX}/bin/ta2s2 --version RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the installed program does not load its module ${module} (${result})")
  endif()
endforeach()
