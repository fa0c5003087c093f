// The part of `ta2s2 export` that needs the NetCDF library (cli/netcdf.cpp loads it).
#include <netcdf.h>
#include <netcdf_mem.h>

#include <cstdlib>
#include <map>

#include "netcdf.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::cli {
namespace {

void require(int status) {
  if (status != NC_NOERR) throw Error(ErrorCode::internal, std::string("NetCDF: ") + nc_strerror(status));
}

// A file in memory: what goes wrong leaves nothing on the disk.
class MemoryFile {
 public:
  MemoryFile() { require(nc_create_mem("posterior.nc", NC_NETCDF4, 0, &id_)); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (is_open_) nc_abort(id_);
  }
  int id() const { return id_; }

  std::string close() {
    NC_memio memory{};
    require(nc_close_memio(id_, &memory));
    is_open_ = false;
    std::string bytes(static_cast<const char*>(memory.memory), memory.size);
    std::free(memory.memory);
    return bytes;
  }

 private:
  int id_ = 0;
  bool is_open_ = true;
};

using Dimensions = std::map<std::string, int>;

void write_attribute(int group, const char* name, const std::string& text) {
  require(nc_put_att_text(group, NC_GLOBAL, name, text.size(), text.c_str()));
}

void write_words(int group, const Labels& labels, int dimension) {
  int variable = 0;
  require(nc_def_var(group, labels.dim.c_str(), NC_STRING, 1, &dimension, &variable));
  std::vector<const char*> words;
  for (const std::string& word : labels.words) words.push_back(word.c_str());
  require(nc_put_var_string(group, variable, words.data()));
}

void write_numbers(int group, const Labels& labels, int dimension) {
  int variable = 0;
  require(nc_def_var(group, labels.dim.c_str(), NC_INT64, 1, &dimension, &variable));
  std::vector<long long> numbers(static_cast<std::size_t>(labels.size));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<long long>(i);
  require(nc_put_var_longlong(group, variable, numbers.data()));
}

Dimensions write_labels(int group, const std::vector<Labels>& all) {
  Dimensions dimensions;
  for (const Labels& labels : all) {
    int& dimension = dimensions[labels.dim];
    require(nc_def_dim(group, labels.dim.c_str(), static_cast<std::size_t>(labels.size), &dimension));
    labels.words.empty() ? write_numbers(group, labels, dimension) : write_words(group, labels, dimension);
  }
  return dimensions;
}

void write_array(int group, const NamedArray& array, const Dimensions& dimensions) {
  std::vector<int> ids;
  for (const std::string& dim : array.dims) ids.push_back(dimensions.at(dim));
  int variable = 0;
  require(nc_def_var(group, array.name.c_str(), NC_DOUBLE, static_cast<int>(ids.size()), ids.data(), &variable));
  require(nc_put_var_double(group, variable, array.values.data()));
}

}  // namespace
}  // namespace ta2s2::cli

extern "C" __attribute__((visibility("default"))) void ta2s2_write_netcdf(const ta2s2::InferenceData& data,
                                                                          std::string& bytes) {
  using namespace ta2s2::cli;
  MemoryFile file;
  for (const ta2s2::ArrayGroup& group : data.groups) {
    int id = 0;
    require(nc_def_grp(file.id(), group.name.c_str(), &id));
    write_attribute(id, "inference_library", "ta2s2");
    write_attribute(id, "inference_library_version", data.version);
    write_attribute(id, "created_at", data.created);
    write_attribute(id, "model", data.model);
    const Dimensions dimensions = write_labels(id, group.labels);
    for (const ta2s2::NamedArray& array : group.arrays) write_array(id, array, dimensions);
  }
  bytes = file.close();
}
