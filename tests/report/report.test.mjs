// The report page in a real browser, opened from a file with the network off. Each test also gets a page that was broken
// on purpose in the way that it is there to find, and must fail on it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { fitExamples } from "./examples.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const program = process.env.TA2S2_PROGRAM;
const folder = mkdtempSync(join(tmpdir(), "ta2s2-report-"));
let browser, examples;

before(async () => {
  examples = fitExamples(program, folder);
  browser = await chromium.launch({ executablePath: process.env.TA2S2_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(async () => browser?.close());

function recordIn(html) {
  return JSON.parse(html.match(/<script type="application\/json" id="record">([^<]*)</)[1]);
}

// Opens a page as it is or with something replaced, and tells what the console said.
async function open(name, { mutate = (html) => html, ...options } = {}) {
  const html = readFileSync(examples[name].page, "utf8");
  const path = join(folder, `opened-${name}.html`);
  const mutated = mutate(html);
  if (mutate.mustChange) assert.notEqual(mutated, html, "the mutant changes nothing");
  writeFileSync(path, mutated);
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, offline: true, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const problems = [], requests = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("dialog", (dialog) => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  // A page that was broken on purpose may never be ready.
  const patience = mutate.mustChange ? 5000 : 20000;
  if (options.javaScriptEnabled !== false) await page.waitForSelector("html[data-ready]", { timeout: patience }).catch(() => {});
  return { page, problems, requests, record: recordIn(html), close: () => context.close() };
}

function replaced(from, to) {
  const mutate = (html) => html.replaceAll(from, to);
  mutate.mustChange = true;
  return mutate;
}

// A check of an example's page, and the mutant on which it must fail.
function check(title, { on, options = {}, mutant, mutantOn = on[0] }, examine) {
  for (const name of on) {
    test(`${title}: ${name}`, async () => {
      const opened = await open(name, options);
      try {
        await examine(opened, examples[name]);
      } finally {
        await opened.close();
      }
    });
  }
  test(`${title}: fails on a broken page`, async () => {
    const opened = await open(mutantOn, { ...options, mutate: mutant });
    try {
      await assert.rejects(async () => examine(opened, examples[mutantOn]), { name: "AssertionError" }, `broken, and yet "${title}" passes`);
    } finally {
      await opened.close();
    }
  });
}

const everyFit = ["oneInput", "twoInputs", "tenInputs", "hostile", "average", "ofDefault"];
const transformed = ["boxCox", "sinhArcsinh", "logarithm", "recalibrated"];

// Of every figure: how many columns its first table has, and how many cells each of its rows.
function tablesUnderFigures(page) {
  return page.$$eval("figure[data-figure]", (all) => all.map((figure) => {
    const table = figure.querySelector("table");
    return {
      name: figure.dataset.figure,
      columns: table?.querySelectorAll("thead th").length ?? 0,
      rows: [...(table?.tBodies[0].rows ?? [])].map((row) => row.cells.length),
    };
  }));
}

// What a page offers for download lands in window.downloads: a browser stops a page that makes more than ten. That a
// file is written is checked elsewhere.
function catchDownloads(page) {
  return page.evaluate(() => {
    window.downloads = [];
    URL.createObjectURL = (blob) => { window.downloads.push(blob.text()); return "blob:caught"; };
    HTMLAnchorElement.prototype.click = () => {};
  });
}

// A name may hold a line break only between quotes.
function linesOfCsv(text) {
  return text.replace(/"(?:[^"]|"")*"/g, "").trimEnd().split("\n").length;
}

describe("the page", () => {
  check("opens without the network and without a word on the console",
    { on: [...everyFit, "outputs", "comparison", "versionOne"], mutant: replaced("const kMostPairs = 4;", "const kMostPairs = 4; fetch('https://example.org/x.js').catch(() => {}); console.error('broken');") },
    async ({ problems, requests }) => {
      assert.deepEqual(problems, []);
      assert.deepEqual(requests.filter((url) => !/^(file|blob):/.test(url)), []);
    });

  check("draws marks in every figure",
    { on: [...everyFit, "comparison", "versionOne"], mutant: replaced("if (name in figures)", "if (name in figures && name !== 'pit')") },
    async ({ page }) => {
      const empty = await page.$$eval("figure[data-figure]", (all) => all
        .filter((figure) => figure.querySelectorAll('.plot svg[role="img"] :is(circle, path, rect, line)').length < 3)
        .map((figure) => figure.dataset.figure));
      // One input has one coordinate beside the nugget, and no pairs of inputs.
      assert.deepEqual(empty, []);
    });

  check("figures have a sentence, a title and a label",
    { on: everyFit, mutant: replaced('svg.setAttribute("aria-label", label);', "") },
    async ({ page }) => {
      const figures = await page.$$eval("figure[data-figure]", (all) => all.map((figure) => ({
        name: figure.dataset.figure,
        sentence: figure.querySelector("figcaption p")?.textContent ?? "",
        labels: [...figure.querySelectorAll(".plot svg[role='img']")].map((svg) => svg.getAttribute("aria-label") ?? ""),
      })));
      assert.ok(figures.length >= 8);
      for (const { name, sentence, labels } of figures) {
        assert.match(sentence, /^Look (for|at) /, name);
        assert.ok(labels.length > 0 && labels.every((label) => label.length > 5), name);
      }
    });

  check("a table of its own stands under every figure",
    { on: [...everyFit, "comparison"], mutant: (html) => html.replace(/<details open><summary>Table: residuals[^]*?<\/details>/, "") },
    async ({ page }) => {
      const tables = await tablesUnderFigures(page);
      assert.ok(tables.length >= 8);
      for (const { name, columns, rows } of tables) {
        assert.ok(rows.length > 0, `${name} has no table, or an empty one`);
        for (const cells of rows) assert.equal(cells, columns, `${name} has a row of ${cells} cells under ${columns} headings`);
      }
    });

  check("every figure's CSV has the rows of its table",
    { on: [...everyFit, "comparison"], mutant: replaced("rows: ({ run }) => run.moves,", "rows: ({ run }) => run.levels,") },
    async ({ page }) => {
      await catchDownloads(page);
      const tables = await tablesUnderFigures(page), figures = await page.$$("figure[data-figure]");
      for (const [i, figure] of figures.entries()) {
        const { name, rows } = tables[i], button = await figure.$("button.csv");
        assert.ok(button, `${name} has no download`);
        await button.evaluate((shown) => shown.click());  // that of another model may be hidden
        const lines = linesOfCsv(await page.evaluate(() => window.downloads.pop()));
        assert.equal(lines, 1 + rows.length, `${name}: ${lines} lines of CSV for ${rows.length} rows of the table`);
      }
    });

  check("runs above a limit of k-hat are marked",
    { on: ["twoInputs", "tenInputs"], mutant: replaced("kindOf(run) === kind", "kind === 0") },
    async ({ page, record: { leave_one_out: { runs, k_hats } } }) => {
      const marked = await page.$$eval("[data-source=leave_one_out] [data-figure=k_hat] svg[role=img] > g", (all) =>
        all.map((group) => [group.getAttribute("fill"), group.querySelectorAll("circle, path").length]).filter(([fill]) => /--(main|care|bad)/.test(fill)));
      const between = (low, high) => runs.filter(({ k_hat }) => (k_hat ?? Infinity) > low && (k_hat ?? Infinity) <= high).length;
      const count = (colour) => marked.filter(([fill]) => fill.includes(colour)).reduce((sum, [, number]) => sum + number, 0);
      assert.equal(count("--main"), between(-Infinity, k_hats.good));
      assert.equal(count("--care"), between(k_hats.good, k_hats.largest));
      assert.equal(count("--bad"), between(k_hats.largest, Infinity));
    });

  check("numbers are those of the record",
    { on: ["twoInputs", "tenInputs"], mutant: (html) => html.replace(/(<td data-key="posterior.crps">)[^<]*/, "$10.123") },
    async ({ page, record }) => {
      const close = (text, number) => assert.ok(Math.abs(Number(text) - number) <= 6e-4 * Math.abs(number) + 1e-12, `${text} for ${number}`);
      for (const part of await page.$$("[data-source]")) {
        const source = await part.getAttribute("data-source");
        for (const cell of await part.$$("td[data-key]")) {
          const [which, key] = (await cell.getAttribute("data-key")).split(".");
          close(await cell.textContent(), record[source].scores[which][key]);
        }
        for (const cell of await part.$$("td[data-distance]")) {
          close(await cell.textContent(), record[source].mahalanobis[await cell.getAttribute("data-distance")].squared);
        }
      }
      const rows = await page.$$eval("figure[data-figure=importance] tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
      assert.equal(rows.length, record.inputs.rows.length);
      rows.forEach(([name, ...cells], i) => {
        const { first, total, p_inert, p_active } = record.inputs.rows[i];
        assert.equal(name, record.inputs.rows[i].name);
        [first.q50, first.q025, first.q975, total.q50, total.q025, total.q975, p_inert, p_active].forEach((number, k) => close(cells[k], number));
      });
      assert.equal(await page.textContent("#verdict h2"), record.verdict.headline);
    });

  check("a figure's CSV is its data",
    { on: ["twoInputs"], mutant: replaced("rows.map((row) => line(names", "rows.slice(1).map((row) => line(names") },
    async ({ page, record }) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-source=validation] [data-figure=coverage] button.csv")]);
      const lines = readFileSync(await download.path(), "utf8").trim().split("\n");
      assert.equal(lines[0], Object.keys(record.validation.coverage[0]).join(","));
      assert.equal(lines.length, 1 + record.validation.coverage.length);
      assert.equal(lines[1], Object.values(record.validation.coverage[0]).join(","));
    });
});

// How many marks of a figure are drawn as runs that were not made yet.
function openTriangles(page, figure) {
  return page.$$eval(`[data-figure=${figure}] svg[role=img]`, (all) => all.map((svg) =>
    [...svg.querySelectorAll("g")].filter((group) => /--other/.test(group.getAttribute("stroke")) && /--page/.test(group.getAttribute("fill"))).reduce((sum, group) => sum + group.querySelectorAll("path").length, 0)));
}

describe("next runs", () => {
  check("are marked in the slices, on the map and among the runs",
    { on: ["oneInput", "twoInputs", "tenInputs", "average"], mutant: replaced("runs, nextAlong(d), y[0])", "runs, [], y[0])") },
    async ({ page, record: { next_runs: { rows }, model: { num_inputs } } }) => {
      assert.equal(rows.length, 5);
      assert.deepEqual(await openTriangles(page, "slices"), Array(num_inputs).fill(rows.length));
      assert.ok((await openTriangles(page, "next_runs")).every((count) => count === rows.length));
      if (num_inputs === 1) return;
      const numbers = await page.$$eval("[data-figure=heat_map] svg[role=img] text", (all) => all.filter((text) => text.closest('[font-weight="600"]')).map((text) => text.textContent));
      assert.deepEqual(numbers.filter((text) => /^[1-5]$/.test(text)), ["1", "2", "3", "4", "5"]);
    });

  check("have their numbers in the table, and the command that makes them",
    { on: ["twoInputs", "tenInputs"], mutant: (html) => html.replace(/(<td data-key="value">)[^<]*/, "$10.123") },
    async ({ page, record: { next_runs } }, example) => {
      assert.equal(await page.textContent("#next code"), next_runs.command);
      const words = next_runs.command.split(" ").slice(1, -2).map((word) => (word === "model.json" ? example.model : word));
      const expected = execFileSync(program, words, { encoding: "utf8" }).trim().split("\n").slice(1).map((line) => line.split(",").map(Number));
      const found = await page.$$eval("[data-figure=next_runs] tbody tr", (all) => all.map((row) => [...row.cells].slice(1).map((cell) => Number(cell.textContent))));
      assert.equal(found.length, expected.length);
      // Four digits are written.
      expected.forEach((row, i) => row.forEach((number, k) => assert.ok(Math.abs(found[i][k] - number) <= 6e-4 * Math.abs(number) + 1e-12, `${found[i][k]} for ${number}`)));
    });
});

describe("an average", () => {
  check("says what each model weighs",
    { on: ["average"], mutant: (html) => html.replace(/(<td data-key="weight">)[^<]*/, "$10.123") },
    async ({ page, record: { average, models } }) => {
      const cells = await page.$$eval("[data-figure=weights] tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
      assert.deepEqual(cells.map(([name]) => name), models.map((model) => model.label));
      cells.forEach(([, weight], i) => assert.ok(Math.abs(Number(weight) - average.rows[i].weight) <= 6e-4 * average.rows[i].weight));
      assert.ok(Math.abs(average.rows.reduce((sum, row) => sum + row.weight, 0) - 1) < 1e-6);
      assert.match(await page.textContent(".about"), new RegExp(`average over ${models.length} models`));
    });

  check("shows one model at a time, everywhere the same, chosen by keyboard",
    { on: ["average"], mutant: replaced('select.addEventListener("change", () => show(select.value));', "") },
    async ({ page, record: { models } }) => {
      const shown = () => page.$$eval(".of-model", (all) => [...new Set(all.filter((block) => !block.hidden).map((block) => block.dataset.model))]);
      assert.deepEqual(await shown(), ["0"]);
      assert.equal(await page.$$eval(".model-chooser select", (all) => all.length), 3);
      await page.focus("#posterior select");
      await page.keyboard.press("ArrowDown");
      assert.deepEqual(await shown(), ["1"]);
      assert.deepEqual(await page.$$eval(".model-chooser select", (all) => all.map((select) => select.value)), ["1", "1", "1"]);
      assert.match(await page.locator("[data-figure=nugget] h3:visible").innerText(), new RegExp(models[1].label));
    });

  check("computes each draw by its own model",
    { on: ["average"], mutant: replaced("this.models[numbers.model]", "this.models[0]") },
    async ({ page, record: { emulator } }) => {
      assert.deepEqual([...new Set(emulator.draws.map((draw) => draw.model))], [0, 1]);
      for (const probe of emulator.probes) {
        const found = await predictInPage(page, probe.at);
        for (const key of ["mean", "low", "high"]) assert.ok(Math.abs(found[key] - probe[key]) <= 1e-4 * probe.sd, `${key}: ${found[key]} for ${probe[key]}`);
      }
    });
});

describe("several outputs", () => {
  const shownPanels = (page) => page.$$eval("[role=tabpanel]", (all) => all.filter((panel) => panel.getClientRects().length > 0).map((panel) => panel.id));

  check("have a tab each, with the roles that tabs have",
    { on: ["outputs"], mutant: replaced('tab.setAttribute("aria-controls", views[i].root.id);', "") },
    async ({ page, record: { outputs } }) => {
      assert.deepEqual(await page.$$eval("[role=tablist] [role=tab]", (all) => all.map((tab) => tab.textContent)), outputs.map(({ model }) => model.output));
      const wiring = await page.$$eval("[role=tab]", (all) => all.map((tab) => {
        const panel = document.getElementById(tab.getAttribute("aria-controls"));
        return [panel?.getAttribute("role"), panel?.getAttribute("aria-labelledby") === tab.id, tab.getAttribute("aria-selected"), tab.tabIndex];
      }));
      assert.deepEqual(wiring, outputs.map((_, i) => ["tabpanel", true, String(i === 0), i === 0 ? 0 : -1]));
      assert.deepEqual(await shownPanels(page), ["o1-output"]);
    });

  check("are reached by arrows, Home and End, and drawn when they are",
    { on: ["outputs"], mutant: replaced("ArrowRight: i + 1", "ArrowRight: i") },
    async ({ page }) => {
      await page.focus("[role=tab]");
      for (const [key, panel] of [["ArrowRight", "o2-output"], ["End", "o3-output"], ["ArrowRight", "o1-output"], ["ArrowLeft", "o3-output"], ["Home", "o1-output"], ["ArrowRight", "o2-output"]]) {
        await page.keyboard.press(key);
        assert.deepEqual(await shownPanels(page), [panel], key);
        assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-controls")), panel);
      }
      await page.waitForSelector("html[data-ready]");
      assert.match(await page.textContent("#o2-output .prediction"), /^<b>lift<\/b> = /);
      assert.ok(await page.$$eval("#o2-output [data-figure=truth] svg circle", (all) => all.length) > 5);
    });

  check("are printed one after another, with every figure",
    { on: ["outputs"], mutant: replaced(".output[hidden] { display: block; }", "") },
    async ({ page, record: { outputs } }) => {
      await page.emulateMedia({ media: "print" });
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      assert.equal((await shownPanels(page)).length, outputs.length);
      const empty = await page.$$eval("figure[data-figure]", (all) => all
        .filter((figure) => figure.getClientRects().length > 0 && figure.querySelectorAll('.plot svg[role="img"] :is(circle, path, rect, line)').length < 3)
        .map((figure) => `${figure.closest(".output").id} ${figure.dataset.figure}`));
      assert.deepEqual(empty, []);
    });

  check("are told without JavaScript",
    { on: ["outputs"], options: { javaScriptEnabled: false }, mutant: replaced('<div class="output"', '<div hidden class="output"') },
    async ({ page, record: { outputs } }) => {
      assert.deepEqual(await page.locator(".output .verdict h2:visible").allInnerTexts(), outputs.map(({ verdict }) => verdict.headline));
      assert.deepEqual(await page.locator(".overview tbody th").allInnerTexts(), outputs.map(({ model }) => model.output));
    });

  check("have no two elements of one name",
    { on: ["outputs"], mutant: replaced('id="o2-verdict"', 'id="o1-verdict"') },
    async ({ page }) => {
      const names = await page.$$eval("[id]", (all) => all.map((element) => element.id));
      assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
    });
});

async function predictInPage(page, point) {
  await page.evaluate((values) => values.forEach((value, d) => {
    const field = document.getElementById(`number-${d}`);
    field.value = value;
    field.dispatchEvent(new Event("input"));
  }), point);
  return page.$eval(".prediction", ({ dataset: { mean, sd, low, high } }) => ({ mean: +mean, sd: +sd, low: +low, high: +high }));
}

function predictByProgram(example, names, points) {
  const path = join(folder, "points.csv");
  const cell = (name) => `"${name.replaceAll('"', '""')}"`;
  writeFileSync(path, [names.map(cell).join(","), ...points.map((point) => point.join(","))].join("\n") + "\n");
  const lines = execFileSync(program, ["predict", example.model, path], { encoding: "utf8" }).trim().split("\n");
  return lines.slice(1).map((line) => {
    const [mean, sd, low, , high] = line.split(",").slice(names.length).map(Number);
    return { mean, sd, low, high };
  });
}

// At five points inside the ranges that are not the record's own.
function somePoints({ emulator: { low, width } }) {
  return [0.13, 0.31, 0.47, 0.66, 0.88].map((u, i) => low.map((from, d) => from + width[d] * ((u + 0.37 * d + 0.05 * i) % 1)));
}

describe("sliders", () => {
  check("compute what the program's own few draws give",
    { on: [...everyFit, "squaredExponential", "matern32", "rational", "powerExponential", "logScale"], mutant: replaced("1 + s + (s * s) / 3", "1 + s + (s * s) / 2"), mutantOn: "oneInput" },
    async ({ page, record }) => {
      for (const probe of record.emulator.probes) {
        const found = await predictInPage(page, probe.at);
        for (const key of ["mean", "low", "high", "sd"]) {
          // Rounding, times the condition of K: far below what the thinning costs.
          assert.ok(Math.abs(found[key] - probe[key]) <= 1e-4 * probe.sd, `${key}: ${found[key]} for ${probe[key]}, sd ${probe.sd}`);
        }
      }
    });

  // Where the page and the program compute by different rules. The page's mean of a draw has nodes h = 0.75 apart, in
  // standard deviations: at a kink, where g ends within the law, that errs by h^2/12 = 0.05 times the density there, 0.4
  // at most, so by 0.02 scales; the draws have their kinks at different nodes, and 40 of them err by 0.02 / sqrt(40) =
  // 0.003. A recalibrated law errs by 3e-4 (page_recalibration). Interval ends are roots of the same function.
  const ofTransformed = { mean: 3e-3, sd: 3e-3, low: 1e-4, high: 1e-4 };
  for (const [what, name, mutant] of [
    ["the correlation's shape", "ofDefault", replaced("shape: Math.exp(log_shape)", "shape: 1")],
    ["the way back to outputs", "boxCox", replaced("from: (g) => sign * (origin + scale * from(g))", "from: (g) => g")],
    ["each draw's parameters", "sinhArcsinh", replaced("outputMap(model.transform, transform)", "outputMap(model.transform, [0, 0])")],
    ["what runs are to the process", "logarithm", replaced("model.output.map(map.to)", "model.output")],
    ["the recalibrated interval", "recalibrated", replaced("const { low, high } = this.recalibration ??", "const { low, high } =")],
    ["the recalibrated mean and deviation", "recalibrated", replaced("if (this.recalibration) {", "if (false) {")],
  ]) {
    check(`compute from their few draws what the program does, with ${what}`, { on: [name], mutant }, async ({ page, record }) => {
      for (const probe of record.emulator.probes) {
        const found = await predictInPage(page, probe.at);
        for (const [key, tolerance] of Object.entries(ofTransformed)) {
          assert.ok(Math.abs(found[key] - probe[key]) <= tolerance * probe.sd, `${key}: ${found[key]} for ${probe[key]}, sd ${probe.sd}`);
        }
      }
    });
  }

  check("agree with ta2s2 predict at five points to the stated tolerance",
    { on: [...everyFit, ...transformed], mutant: replaced("scale2 * (c + nugget)", "scale2 * 2 * (c + nugget)") },
    async ({ page, record }, example) => {
      const points = somePoints(record), expected = predictByProgram(example, record.model.inputs, points);
      for (const [i, point] of points.entries()) {
        const found = await predictInPage(page, point);
        for (const key of ["mean", "low", "high"]) {
          const far = Math.abs(found[key] - expected[i][key]) / expected[i].sd;
          assert.ok(far <= record.emulator.tolerance, `${key} at ${point} is ${far} sds off, stated are ${record.emulator.tolerance}`);
        }
      }
    });

  check("slices show the interval that stands in words",
    { on: [...everyFit, ...transformed], mutant: replaced("return { x: this.userValue(input, x[input]), mean, low, high };", "return { x: this.userValue(input, x[input]), mean, low: 2 * mean - high, high: high + 0.05 * (high - mean) };") },
    async ({ page, record }) => {
      // A slice's middle is at the middle of its range, where the sliders stand at first.
      const spoken = await page.$eval(".prediction", ({ dataset }) => ({ ...dataset }));
      const rows = await page.$$eval("[data-figure=slices] tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
      const half = rows.length / record.model.num_inputs / 2;
      for (let d = 0; d < record.model.num_inputs; ++d) {
        const [, , mean, low, high] = rows[Math.floor((2 * d + 1) * half)].map(Number);
        for (const [found, key] of [[mean, "mean"], [low, "low"], [high, "high"]]) {
          // Four digits are written.
          assert.ok(Math.abs(found - spoken[key]) <= 6e-4 * Math.abs(spoken[key]), `${key}: ${found} in the table, ${spoken[key]} in words`);
        }
      }
    });

  check("move the prediction and the slices by keyboard",
    { on: ["twoInputs"], mutant: replaced('slider.addEventListener("input"', 'slider.addEventListener("never"') },
    async ({ page }) => {
      const shown = () => page.textContent(".prediction");
      const slice = () => page.$eval("[data-figure=slices] .plot", (plot) => plot.innerHTML);
      const text = await shown(), drawn = await slice();
      await page.focus("#slider-0");
      for (let i = 0; i < 20; ++i) await page.keyboard.press("ArrowRight");
      assert.notEqual(await shown(), text);
      await page.waitForFunction((before) => document.querySelector("[data-figure=slices] .plot").innerHTML !== before, drawn, { timeout: 5000 });
    });

  check("choose the inputs of the heat map",
    { on: ["tenInputs"], mutant: replaced('select.addEventListener("change", showMap)', "void 0") },
    async ({ page }) => {
      const label = () => page.getAttribute("[data-figure=heat_map] svg", "aria-label");
      const first = await label();
      const unused = await page.$$eval("#map-across option", (all) => all.findIndex((_, i) => [...document.querySelectorAll("select")].every((select) => select.selectedIndex !== i)));
      await page.selectOption("#map-across", { index: unused });
      assert.notEqual(await label(), first);
    });
});

describe("access", () => {
  const unlabelled = replaced('number.setAttribute("aria-label"', 'number.setAttribute("data-label"');
  const pale = replaced("--soft: #a9b3bd", "--soft: #3a424c");
  for (const [colorScheme, on, mutant] of [["light", ["oneInput", "tenInputs", "hostile", "average", "outputs", "comparison"], unlabelled], ["dark", ["oneInput", "average", "outputs", "comparison"], pale]]) {
    check(`axe-core finds nothing, ${colorScheme}`, { on, options: { colorScheme }, mutant }, async ({ page }) => {
      await page.$$eval("details", (all) => all.forEach((details) => { details.open = true; }));
      // Rows of a table are alike: five of each are enough, and hundreds take a minute.
      await page.$$eval("tr:nth-child(n + 6)", (all) => all.forEach((row) => row.remove()));
      // The page's policy lets no other script in: axe comes by the debugger.
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120))}`), []);
    });
  }

  check("the keyboard reaches everything that can be used",
    { on: ["twoInputs"], mutant: replaced('className: "csv"', 'className: "csv", tabIndex: -1') },
    async ({ page }) => {
      const wanted = await page.$$eval("a[href], summary, button, input, select", (all) => all
        .filter((item) => item.getClientRects().length > 0).map((item, i) => { item.dataset.stop = i; return i; }));
      const reached = new Set();
      for (let i = 0; i < 3 * wanted.length; ++i) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(() => Number(document.activeElement.dataset.stop ?? -1)));
      }
      assert.deepEqual(wanted.filter((stop) => !reached.has(stop)), []);
    });

  check("a narrow screen needs no sideways scrolling",
    { on: ["oneInput", "tenInputs", "hostile", "average", "outputs", "comparison"], options: { viewport: { width: 360, height: 740 } }, mutant: replaced("max-width: 100%; height: auto;", "min-width: 60rem;") },
    async ({ page }) => {
      const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(content <= screen, `${content} wide on ${screen}`);
    });

  check("says the essentials without JavaScript",
    { on: ["tenInputs"], options: { javaScriptEnabled: false }, mutant: replaced("<details open>", "<details>") },
    async ({ page, record }) => {
      assert.equal(await page.locator("#verdict h2").innerText(), record.verdict.headline);
      assert.ok(await page.locator("[data-source=validation] table.scores td").first().isVisible());
      assert.ok(await page.locator("figure[data-figure=importance] tbody td").first().isVisible());
      assert.ok(await page.locator("[data-source=leave_one_out] figure[data-figure=truth] tbody td").first().isVisible());
    });
});

describe("names", () => {
  check("are text, whatever they hold",
    { on: ["hostile"], mutant: (html) => html.replace('<h1>Emulator of <span class="name">', '<h1>Emulator of <span class="name"><img src=x onerror="alert(9)">') },
    async ({ page, problems, record }) => {
      assert.deepEqual(problems, []);
      assert.equal(await page.locator("img").count(), 0);
      assert.equal(await page.textContent("h1 .name"), record.model.output);
      assert.deepEqual((await page.$$eval(".sliders label", (all) => all.map((label) => label.textContent))), record.model.inputs);
    });
});

describe("print", () => {
  // In print media at the width of an A4 page less its margins, no figure may be higher than the page is.
  check("cuts no figure",
    { on: ["oneInput", "tenInputs", "average"], mutant: replaced("figure, .verdict, tr, .scores { break-inside: avoid; }", "") },
    async ({ page }) => {
      await page.emulateMedia({ media: "print" });
      await page.setViewportSize({ width: Math.round((182 / 25.4) * 96), height: Math.round((269 / 25.4) * 96) });
      const figures = await page.$$eval("figure[data-figure]", (all) => all.map((figure) => ({
        name: figure.dataset.figure, height: figure.getBoundingClientRect().height, inside: getComputedStyle(figure).breakInside,
        wide: Math.max(0, ...[...figure.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect().right)),
      })));
      for (const { name, height, inside, wide } of figures) {
        assert.equal(inside, "avoid", name);
        assert.ok(height <= (269 / 25.4) * 96, `${name} is ${height} high`);
        assert.ok(wide <= (182 / 25.4) * 96 + 1, `${name} reaches ${wide}`);
      }
    });
});

describe("size", () => {
  check("of several outputs grows by less than 200 kB for each",
    { on: ["outputs"], mutant: (html) => html + " ".repeat(1e6) },
    async ({ page, record }) => assert.ok(readFileSync(new URL(page.url())).length < 4e5 + 2e5 * record.outputs.length));

  check("stays under 3 MB with ten inputs and 5000 draws",
    { on: ["tenInputs"], mutant: (html) => html + " ".repeat(3e6) },
    async ({ page, record }) => {
      assert.equal(record.totals.draws, 5000);
      assert.ok((await page.content()).length < 3e6);
    });
});
