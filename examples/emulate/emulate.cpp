// emulate RUNS POINTS FOLDER: fits an emulator of the column y to the runs of a CSV file, saves it, says whether it may
// be used, and predicts the points of another CSV file.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ta2s2/ta2s2.hpp>

int main(int argc, char** argv) try {
  using namespace ta2s2;
  if (argc != 4) throw Error(ErrorCode::usage, "usage: emulate RUNS POINTS FOLDER");
  const std::filesystem::path folder = argv[3];

  const Dataset runs = Dataset::read_csv(argv[1], {.outputs = "y"});
  FitSettings settings;
  settings.model.trend = parse_trend("linear");
  settings.sampler.seed = 7;
  const Emulator emulator = Emulator::fit(runs, settings, {.threads = 2});
  emulator.save(folder / "model.json");
  for (const Judgement& judgement : emulator.judgements()) std::printf("%s\n", judgement.line().c_str());

  std::ofstream out(folder / "predictions.csv");
  const std::string warning = emulator.predict_csv(argv[2], out, {.quantiles = {0.025, 0.975}});
  if (!warning.empty()) std::fprintf(stderr, "%s\n", warning.c_str());

  const Matrix centre = runs.inputs().colwise().mean();
  const Prediction there = emulator.predict(centre);
  std::printf("in the middle of the runs: %g +- %g\n", there.mean(0, 0), there.sd(0, 0));
} catch (const ta2s2::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.code());
}
