// Fits whose reports the tests look at.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const data = fileURLToPath(new URL("../../examples/data/", import.meta.url));

function oneInputRuns() {
  const rows = Array.from({ length: 12 }, (_, i) => (4 * (i + 0.3 + 0.4 * ((i * 7) % 3))) / 12.5);
  return ["speed,lift", ...rows.map((x) => `${x},${Math.sin(2.2 * x) + 0.25 * x * x}`)].join("\n");
}

// Names that are markup, a template, a separator.
function hostileRuns() {
  const rows = Array.from({ length: 24 }, (_, i) => [(i + 0.5) / 24, ((i * 7) % 24) / 24, ((i * 11 + 5) % 24) / 24]);
  const header = '"</script><script>alert(1)</script>","a,""b""",{{model.output}},"<img src=x onerror=alert(2)>"';
  return [header, ...rows.map(([a, b, c]) => `${a},${b},${c},${Math.sin(5 * a) + b * b}`)].join("\n");
}

// Three outputs of the same two inputs; one has a name that is markup.
function severalOutputs() {
  const rows = Array.from({ length: 24 }, (_, i) => [(i + 0.5) / 24, ((i * 7 + 3) % 24) / 24]);
  return ["a,b,drag,<b>lift</b>,mass", ...rows.map(([a, b]) => `${a},${b},${Math.sin(5 * a) + b * b},${Math.cos(3 * b) + a},${a * b + 2 * a}`)].join("\n");
}

// The record as version 1 had it: of one model without a part of its own, one band for all bars of the PIT, and less of
// several things.
function asVersionOne({ models: [model], inputs, emulator: { models: [of], ...emulator }, average, next_runs, totals, ...record }) {
  for (const runs of [record.leave_one_out, record.validation].filter(Boolean)) {
    const { bins } = runs.pit;
    Object.assign(runs.pit, { low: bins[0].low, high: bins[0].high });
    for (const bin of bins) { delete bin.low; delete bin.high; }
    for (const key of ["how", "is_thinned", "k_hats", "mahalanobis", "shown", "num_joint"]) delete runs[key];
    delete runs.sentences.scores;
  }
  delete model.run.moves_sentence;
  for (const draw of emulator.draws) delete draw.model;
  return {
    ...record, format_version: 1, nugget: model.nugget, posterior: model.posterior, run: model.run, emulator: { ...emulator, correlation: of.correlation, trend: of.trend },
    inputs: {
      rows: inputs.rows.map(({ name, column, total: { q025, q50, q975 }, p_inert }, i) => ({
        ...model.length_scales.rows[i], name, column, p_inert, total_effect: { q025, q25: q025, q50, q75: q975, q975 } })),
      inert_below: inputs.inert_below, sentences: { importance: inputs.sentence, length_scales: model.length_scales.sentence },
    },
  };
}

// By name: the model and the page.
export function fitExamples(program, folder) {
  const inFolder = (name) => join(folder, name);
  const run = (...args) => execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(inFolder("one.csv"), oneInputRuns());
  writeFileSync(inFolder("hostile.csv"), hostileRuns());
  writeFileSync(inFolder("outputs.csv"), severalOutputs());
  const fit = (name, runs, settings, ...report) => {
    const example = { model: inFolder(`${name}.json`), page: inFolder(`${name}.html`) };
    run("fit", runs, "-q", "-o", example.model, ...settings);
    run("report", example.model, "-o", example.page, ...report);
    return example;
  };
  const franke = join(data, "franke_train_1.csv"), wing = inFolder("wing.csv");
  // Half of the runs: a page's size is that of its draws, and its making takes the square of the runs.
  writeFileSync(wing, readFileSync(join(data, "wing_weight_train_1.csv"), "utf8").split("\n").slice(0, 51).join("\n") + "\n");
  const other = (name, correlation, trend, ...more) =>
    fit(name, franke, ["--output", "y", "--model", "single", "--samples", "400", "--correlation", correlation, "--trend", trend, ...more]);
  const single = ["--model", "single"];
  // The least that an average can be: members without transformations.
  const pair = ["--model", "average", "--average-over", "squared-exponential,matern52"];
  const examples = {
    oneInput: fit("oneInput", inFolder("one.csv"), [...single, "--output", "lift", "--samples", "1000"]),
    // Both models have a part.
    average: fit("average", franke, ["--output", "y", "--samples", "400", ...pair, "--weighting", "equal"], "--validation", join(data, "franke_test.csv")),
    outputs: fit("outputs", inFolder("outputs.csv"), ["--output", "drag,<b>lift</b>,mass", "--inputs", "a,b", "--samples", "200", ...pair, "--weighting", "evidence"]),
    ofDefault: fit("ofDefault", franke, ["--output", "y", "--samples", "200"]),
    boxCox: other("boxCox", "matern52", "constant", "--transform", "box-cox"),
    sinhArcsinh: other("sinhArcsinh", "rational-quadratic", "constant", "--transform", "sinh-arcsinh"),
    // A nugget that is far too small: intervals are widened by a third.
    recalibrated: fit("recalibrated", wing, [...single, "--output", "weight", "--samples", "200", "--correlation", "squared-exponential", "--nugget", "fixed(1e-10)", "--recalibration", "left-out"]),
    logarithm: fit("logarithm", wing, [...single, "--output", "weight", "--samples", "200", "--transform", "log"]),
    twoInputs: fit("twoInputs", franke, [...single, "--output", "y"], "--validation", join(data, "franke_test.csv")),
    tenInputs: fit("tenInputs", wing, [...single, "--output", "weight", "--samples", "5000"], "--validation", join(data, "wing_weight_test.csv")),
    hostile: fit("hostile", inFolder("hostile.csv"), [...single, "--output", "<img src=x onerror=alert(2)>", "--samples", "400"]),
    squaredExponential: other("squaredExponential", "squared-exponential", "linear"),
    matern32: other("matern32", "matern32", "none"),
    rational: other("rational", "rational(0.4)", "constant"),
    powerExponential: other("powerExponential", "power-exponential(1.7)", "terms(x1,x2^2)", "--trend-prior", "unit-information"),
    logScale: other("logScale", "matern52", "linear", "--input-scale", "x1=log"),
  };
  examples.comparison = { page: inFolder("comparison.html") };
  run("report", examples.twoInputs.model, examples.matern32.model, "-o", examples.comparison.page);
  examples.versionOne = { page: inFolder("versionOne.html") };
  const record = JSON.parse(execFileSync(program, ["report", "--record", examples.twoInputs.page], { maxBuffer: 1e8 }));
  writeFileSync(inFolder("versionOne.json"), JSON.stringify(asVersionOne(record)));
  run("report", inFolder("versionOne.json"), "-o", examples.versionOne.page);
  return examples;
}
