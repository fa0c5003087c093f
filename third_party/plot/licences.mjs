// Prints the licences of the packages that a bundle holds, each text once: licences.mjs inputs.json
import { readFileSync } from "node:fs";

const inputs = Object.keys(JSON.parse(readFileSync(process.argv[2])).inputs);
const packages = new Set(
  inputs.map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]).filter(Boolean));
const byText = new Map();
for (const name of [...packages].sort()) {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`));
  const text = readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim();
  byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
}
for (const [text, names] of byText) console.log(`${names.join(", ")}\n\n${text}\n\n${"-".repeat(80)}\n`);
