// Fits whose reports the tests look at.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
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

// By name: the model and the page.
export function fitExamples(program, folder) {
  const inFolder = (name) => join(folder, name);
  const run = (...args) => execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(inFolder("one.csv"), oneInputRuns());
  writeFileSync(inFolder("hostile.csv"), hostileRuns());
  const fit = (name, runs, settings, ...report) => {
    const example = { model: inFolder(`${name}.json`), page: inFolder(`${name}.html`) };
    run("fit", runs, "-q", "-o", example.model, ...settings);
    run("report", example.model, "-o", example.page, ...report);
    return example;
  };
  const franke = join(data, "franke_train_1.csv"), wing = join(data, "wing_weight_train_1.csv");
  const other = (name, correlation, trend, ...more) =>
    fit(name, franke, ["--output", "y", "--samples", "400", "--correlation", correlation, "--trend", trend, ...more]);
  const examples = {
    oneInput: fit("oneInput", inFolder("one.csv"), ["--output", "lift", "--samples", "1000"]),
    twoInputs: fit("twoInputs", franke, ["--output", "y"], "--validation", join(data, "franke_test.csv")),
    tenInputs: fit("tenInputs", wing, ["--output", "weight", "--samples", "5000"], "--validation", join(data, "wing_weight_test.csv")),
    hostile: fit("hostile", inFolder("hostile.csv"), ["--output", "<img src=x onerror=alert(2)>", "--samples", "400"]),
    squaredExponential: other("squaredExponential", "squared-exponential", "linear"),
    matern32: other("matern32", "matern32", "none"),
    powerExponential: other("powerExponential", "power-exponential(1.7)", "terms(x1,x2^2)", "--trend-prior", "unit-information"),
  };
  examples.comparison = { page: inFolder("comparison.html") };
  run("report", examples.twoInputs.model, examples.matern32.model, "-o", examples.comparison.page);
  return examples;
}
