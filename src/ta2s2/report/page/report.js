// Draws every figure of the page from the record in it, and makes the interactive ones work.

const record = JSON.parse(document.getElementById("record").textContent);
const parts = record.kind === "comparison" ? record.fits : [record];

// The part of the record that a figure shows.
function partOf(figure) {
  if (figure.dataset.figure === "both_effects") return record;
  const fit = parts[Number(figure.closest("[data-fit]")?.dataset.fit ?? 0)];
  const source = figure.closest("[data-source]")?.dataset.source;
  return source ? fit[source] : fit;
}

function csvText(rows) {
  if (rows.length === 0) return "";
  const names = Object.keys(rows[0]).filter((name) => typeof rows[0][name] !== "object");
  const cell = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (cells) => cells.map((item) => cell(String(item ?? ""))).join(",");
  return [line(names), ...rows.map((row) => line(names.map((name) => row[name])))].join("\n") + "\n";
}

function addDownload(figure, rows) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "csv";
  button.textContent = "Download as CSV";
  button.setAttribute("aria-label", `Download as CSV: ${figure.querySelector("h3, h4").textContent}`);
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csvText(rows())], { type: "text/csv" }));
    link.download = `${figure.dataset.figure}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
  figure.append(button);
}

function drawStatic(figure) {
  const { rows, draw: drawing } = figures[figure.dataset.figure];
  const part = partOf(figure);
  figure.querySelector(".plot").replaceChildren(...drawing(part, { output: record.model.output }));
  addDownload(figure, () => rows(part));
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function fillTable(figure, rows) {
  const body = figure.querySelector("table.filled tbody");
  body.replaceChildren(...rows.map((cells) => element("tr", {}, ...cells.map((cell, i) =>
    i === 0 ? element("th", { scope: "row" }, String(cell)) : element("td", {}, typeof cell === "number" ? readable(cell) : cell)))));
}

// ---- the point that the sliders choose ----

class PointChooser {
  constructor(form, names, emulator, onChange) {
    this.point = emulator.low.map((low, d) => low + 0.5 * emulator.width[d]);
    form.addEventListener("submit", (event) => event.preventDefault());
    names.forEach((name, d) => {
      const low = emulator.low[d], high = low + emulator.width[d];
      const slider = element("input", { type: "range", id: `slider-${d}`, min: low, max: high, step: emulator.width[d] / 200, value: this.point[d] });
      const number = element("input", { type: "number", id: `number-${d}`, step: "any", value: readable(this.point[d]) });
      number.setAttribute("aria-label", `${name}, as a number`);
      const choose = (text, other) => {
        const chosen = Number(text);
        if (text === "" || !Number.isFinite(chosen)) return;
        this.point[d] = Math.min(Math.max(chosen, low), high);
        other.value = other === number ? readable(this.point[d]) : this.point[d];
        onChange();
      };
      slider.addEventListener("input", () => choose(slider.value, number));
      number.addEventListener("input", () => choose(number.value, slider));
      form.append(element("div", {}, element("label", { htmlFor: slider.id, title: name }, name), slider, number));
    });
  }
}

// Calls once the browser has time, and only for the last of several requests.
function whenIdle(action) {
  let waiting = 0;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(action, 40);
  };
}

const kSlicePoints = 25, kMapPoints = 24;

function showInteractive(emulator, names) {
  const slices = document.querySelector('[data-figure="slices"]'), map = document.querySelector('[data-figure="heat_map"]');
  const output = record.model.output;
  let sliceRows = [], mapRows = [];
  // With one input a slice is the whole function, and the runs lie on it.
  const runs = names.length > 1 ? [] : emulator.inputs.map(([u], i) => ({ x: emulator.low[0] + emulator.width[0] * u, y: emulator.output_mean + emulator.output_sd * emulator.output[i] }));

  const showPrediction = () => {
    const { mean, sd, low, high } = emulator.predict(chooser.point);
    const text = slices.querySelector(".prediction");
    text.textContent = `${output} = ${readable(mean)}, 95% interval ${readable(low)} to ${readable(high)} (sd ${readable(sd, 3)})`;
    Object.assign(text.dataset, { mean, sd, low, high });
  };
  const showSlices = () => {
    const curves = names.map((name, d) => ({ name, rows: emulator.slice(chooser.point, d, kSlicePoints) }));
    const y = commonRange(curves.flatMap(({ rows }) => rows));
    slices.querySelector(".plot").replaceChildren(...curves.map(({ name, rows }, d) =>
      curve(`slice along ${name}, with 95% intervals`, name, output, rows, y, sizeOf(curves), [chooser.point[d]], runs)));
    sliceRows = curves.flatMap(({ name, rows }) => rows.map((row) => ({ input: name, ...row })));
    fillTable(slices, sliceRows.map(({ input, x, mean, low, high }) => [input, x, mean, low, high]));
  };
  const showMap = () => {
    if (names.length < 2) return;
    const [first, second] = [...map.querySelectorAll("select")].map((select) => Number(select.value));
    if (first === second) return map.querySelector(".plot").replaceChildren(note("Choose two different inputs."));
    mapRows = emulator.meanGrid(chooser.point, first, second, kMapPoints);
    map.querySelector(".plot").replaceChildren(...heatMap(names, output, first, second, mapRows, { first: chooser.point[first], second: chooser.point[second] }),
      note("The cross is the point of the sliders."));
    fillTable(map, mapRows.map((row) => [readable(row.first), row.second, row.mean]));
  };
  const showLater = whenIdle(() => { showSlices(); showMap(); });
  const chooser = new PointChooser(slices.querySelector(".sliders"), names, emulator, () => { showPrediction(); showLater(); });

  if (names.length < 2) {
    map.remove();
  } else {
    const ranked = record.inputs.rows.map((row) => row.column);
    ["across", "up"].forEach((way, i) => {
      const select = element("select", { id: `map-${way}` }, ...names.map((name, d) => element("option", { value: d }, name)));
      select.value = ranked[i];
      select.addEventListener("change", showMap);
      map.querySelector(".chooser").append(element("label", { htmlFor: select.id }, `${way}: `, select));
    });
    addDownload(map, () => mapRows.map((row) => ({ [`first: ${names[map.querySelector("#map-across").value]}`]: row.first,
      [`second: ${names[map.querySelector("#map-up").value]}`]: row.second, mean: row.mean })));
  }
  addDownload(slices, () => sliceRows);
  showPrediction();
  showSlices();
  showMap();
}

// Draw by draw, so that the page stays quick to scroll meanwhile.
function prepareThen(emulator, action) {
  const until = performance.now() + 30;
  while (emulator.prepareNext()) {
    if (performance.now() > until) return setTimeout(() => prepareThen(emulator, action), 0);
  }
  action();
}

// ---- the pair plot, of the coordinates that are ticked ----

const kMostPairs = 4;

function showPairs(figure) {
  const { posterior } = record;
  const ranked = record.inputs.rows.map((row) => row.column);
  const nugget = posterior.coordinates.findIndex((coordinate) => coordinate.is_nugget);
  const first = new Set([...ranked.slice(0, nugget < 0 ? kMostPairs : kMostPairs - 1), nugget]);
  const boxes = posterior.coordinates.map((coordinate, i) => {
    const box = element("input", { type: "checkbox", checked: first.has(i), value: i });
    box.addEventListener("change", drawPairs);
    figure.querySelector(".chooser").append(element("label", {}, box, ` ${coordinate.name}`));
    return box;
  });
  const plot = figure.querySelector(".plot");
  const key = legend([
    ...posterior.modes.map((mode) => [kSymbols[(mode.number - 1) % 5], `var(--mode${1 + ((mode.number - 1) % 5)})`, mode.name]),
    ["times", "currentColor", "MAP"],
  ]);
  plot.before(key);
  function drawPairs() {
    const chosen = boxes.filter((box) => box.checked).map((box) => Number(box.value));
    if (posterior.coordinates.length < 2) return plot.replaceChildren(note("There is one coordinate: its posterior is shown above."));
    const panels = chosen.flatMap((j, row) => chosen.slice(0, row).map((i) => pairPanel(posterior, i, j)));
    plot.classList.add("many");
    plot.replaceChildren(...(panels.length ? panels : [note("Tick two coordinates or more.")]));
  }
  drawPairs();
  const labels = posterior.coordinates.map((coordinate) => coordinate.label);
  figure.querySelector("table.filled thead tr").replaceChildren(...["draw", "mode", ...labels].map((label) => element("th", { scope: "col" }, label)));
  fillTable(figure, posterior.draws.map((draw, i) => [i + 1, draw.mode, ...draw.at]));
  addDownload(figure, () => posterior.draws.map((draw, i) => ({ draw: i + 1, mode: draw.mode, ...Object.fromEntries(labels.map((label, d) => [label, draw.at[d]])) })));
}

for (const plot of document.querySelectorAll("#shape .many")) plot.classList.toggle("few", record.model.num_inputs <= 3);
// Without this script every table is open.
for (const details of document.querySelectorAll("details")) details.open = false;
for (const figure of document.querySelectorAll("figure[data-figure]")) {
  if (figure.dataset.figure in figures) drawStatic(figure);
}
// On paper nobody can open the settings.
for (const [event, open] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(event, () => { for (const details of document.querySelectorAll("#provenance details, #settings details")) details.open = open; });
}
const pairs = document.querySelector('[data-figure="pairs"]');
if (pairs) showPairs(pairs);
const pageEmulator = record.emulator ? new PageEmulator(record.emulator) : null;
if (pageEmulator) {
  prepareThen(pageEmulator, () => {
    showInteractive(pageEmulator, record.model.inputs);
    document.documentElement.dataset.ready = "";
  });
} else {
  document.documentElement.dataset.ready = "";
}
