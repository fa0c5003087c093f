#include "ta2s2/experiments/summary_files.hpp"

#include "ta2s2/io/atomic_file.hpp"

namespace ta2s2 {

void write_summary_files(const std::filesystem::path& folder, const std::string& stem, const WriteText& write_markdown,
                         const WriteText& write_csv) {
  AtomicFile markdown(folder / (stem + ".md")), csv(folder / (stem + ".csv"));
  write_markdown(markdown.stream());
  write_csv(csv.stream());
  markdown.prepare();
  csv.prepare();
  markdown.commit();
  csv.commit();
}

}  // namespace ta2s2
