#include "ta2s2/experiments/detail/gnuplot.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "ta2s2/error.hpp"

namespace ta2s2::detail {
namespace {

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw Error(ErrorCode::internal, std::string("gnuplot was lost: ") + std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::optional<int> run_gnuplot(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), "gnuplot");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, "gnuplot", nullptr, nullptr, pointers.data(), ::environ);
  if (error == ENOENT || error == EACCES) return std::nullopt;
  if (error != 0) throw Error(ErrorCode::internal, std::string("gnuplot cannot be started: ") + std::strerror(error));
  return wait_for(process);
}

}  // namespace ta2s2::detail
