// Draws every figure of the page from the record in it, and makes the interactive ones work.

const record = JSON.parse(document.getElementById("record").textContent);

// The part of a record that a figure shows: of one of two fits, of some runs, of one model.
function partOf(figure, record) {
  if (figure.dataset.figure === "both_effects") return record;
  const fit = record.kind === "comparison" ? record.fits[Number(figure.closest("[data-fit]").dataset.fit)] : record;
  const source = figure.closest("[data-source]")?.dataset.source, model = figure.closest("[data-model]")?.dataset.model;
  return source ? fit[source] : model ? fit.models[Number(model)] : fit;
}

function csvText(rows) {
  if (rows.length === 0) return "";
  const names = Object.keys(rows[0]).filter((name) => typeof rows[0][name] !== "object");
  const cell = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (cells) => cells.map((item) => cell(String(item ?? ""))).join(",");
  return [line(names), ...rows.map((row) => line(names.map((name) => row[name])))].join("\n") + "\n";
}

function addDownload(figure, rows) {
  const button = element("button", { type: "button", className: "csv" }, "Download as CSV");
  button.setAttribute("aria-label", `Download as CSV: ${figure.querySelector("h3, h4").textContent}`);
  button.addEventListener("click", () => {
    const href = URL.createObjectURL(new Blob([csvText(rows())], { type: "text/csv" }));
    const link = element("a", { href, download: `${figure.dataset.figure}.csv` });
    link.click();
    URL.revokeObjectURL(link.href);
  });
  figure.append(button);
}

function drawStatic(figure, record) {
  const { rows, draw: drawing } = figures[figure.dataset.figure];
  const part = partOf(figure, record);
  figure.querySelector(".plot").replaceChildren(...drawing(part, { output: record.model.output }));
  addDownload(figure, () => rows(part));
}

function fillTable(figure, rows) {
  const body = figure.querySelector("table.filled tbody");
  body.replaceChildren(...rows.map((cells) => element("tr", {}, ...cells.map((cell, i) =>
    i === 0 ? element("th", { scope: "row" }, String(cell)) : element("td", {}, typeof cell === "number" ? readable(cell) : cell)))));
}

// ---- the point that the sliders choose ----

// Adds the sliders; the point changes with them.
function choosePoint(form, prefix, names, emulator, onChange) {
  const point = emulator.toUser(emulator.low.map(() => 0.5));
  form.addEventListener("submit", (event) => event.preventDefault());
  names.forEach((name, d) => {
    const low = emulator.low[d], high = low + emulator.width[d];
    const { to, from, start, span } = emulator.axes[d];  // the slider moves in even steps along the input's scale
    const slider = element("input", { type: "range", id: `${prefix}slider-${d}`, min: start, max: start + span, step: span / 200, value: to(point[d]) });
    const number = element("input", { type: "number", id: `${prefix}number-${d}`, step: "any", value: readable(point[d]) });
    number.setAttribute("aria-label", `${name}, as a number`);
    const say = () => slider.setAttribute("aria-valuetext", readable(point[d]));
    const choose = (chosen) => {
      point[d] = Math.min(Math.max(chosen, low), high);
      say();
      onChange();
    };
    slider.addEventListener("input", () => {
      choose(from(Number(slider.value)));
      number.value = readable(point[d]);
    });
    number.addEventListener("input", () => {
      const typed = Number(number.value);
      if (number.value === "" || !Number.isFinite(typed)) return;
      choose(typed);
      slider.value = to(point[d]);
    });
    say();
    form.append(element("div", {}, element("label", { htmlFor: slider.id, title: name }, name), slider, number));
  });
  return point;
}

const kSlicePoints = 25, kMapPoints = 24;

// `view`: an output's part of the page.
function showInteractive({ root, prefix, record }, emulator) {
  const slices = root.querySelector('[data-figure="slices"]'), map = root.querySelector('[data-figure="heat_map"]');
  const { output, inputs: names } = record.model, next = record.next_runs?.rows ?? [];
  let sliceRows = [], mapRows = [], waiting = 0;
  // With one input a slice is the whole function, and the runs lie on it.
  const isWhole = names.length === 1, runs = isWhole ? runsOf(emulator).map(({ at, y }) => ({ x: at[0], y })) : [];
  const nextAlong = (d) => next.map((run) => ({ x: run.at[d], y: isWhole ? run.mean : undefined }));
  const nextKey = next.length === 0 ? [] : [legend([["open", "var(--other)", isWhole ? "next runs, at their predicted means" : "next runs, where they are along each input"]])];

  const showPrediction = () => {
    const { mean, sd, low, high } = emulator.predict(chosen);
    const text = slices.querySelector(".prediction");
    text.textContent = `${output} = ${readable(mean)}, 95% interval ${readable(low)} to ${readable(high)} (sd ${readable(sd, 3)})`;
    Object.assign(text.dataset, { mean, sd, low, high });
  };
  const showSlices = () => {
    const curves = names.map((name, d) => ({ name, rows: emulator.slice(chosen, d, kSlicePoints) }));
    const y = commonRange(curves.flatMap(({ rows }) => rows));
    slices.querySelector(".plot").replaceChildren(...curves.map(({ name, rows }, d) =>
      curve(`slice along ${name}, with 95% intervals`, name, emulator.isLog(d), output, rows, y, sizeOf(curves), marksOfSlice(chosen[d], runs, nextAlong(d), y[0]))), ...nextKey);
    sliceRows = curves.flatMap(({ name, rows }) => rows.map((row) => ({ input: name, ...row })));
    fillTable(slices, sliceRows.map(({ input, x, mean, low, high }) => [input, x, mean, low, high]));
  };
  const showMap = () => {
    if (names.length < 2) return;
    const [first, second] = [...map.querySelectorAll("select")].map((select) => Number(select.value));
    const nextHere = next.map((run) => ({ number: run.number, first: run.at[first], second: run.at[second] }));
    if (first === second) return map.querySelector(".plot").replaceChildren(note("Choose two different inputs."));
    mapRows = emulator.meanGrid(chosen, first, second, kMapPoints);
    map.querySelector(".plot").replaceChildren(...heatMap(emulator, names, output, first, second, mapRows, { first: chosen[first], second: chosen[second] }, nextHere),
      note(`The cross is the point of the sliders.${next.length ? " The triangles are the next runs, wherever they are in the other inputs." : ""}`));
    fillTable(map, mapRows.map((row) => [readable(row.first), row.second, row.mean]));
  };
  const chosen = choosePoint(slices.querySelector(".sliders"), prefix, names, emulator, () => {
    showPrediction();
    clearTimeout(waiting);  // figures once the browser has time, and only for the last of several points
    waiting = setTimeout(() => {
      showSlices();
      waiting = setTimeout(showMap, 20);  // a frame later, so that the slices are seen before it is computed
    }, 40);
  });

  if (names.length < 2) {
    map.remove();
  } else {
    const ranked = record.inputs.rows.map((row) => row.column);
    ["across", "up"].forEach((way, i) => {
      const select = element("select", { id: `${prefix}map-${way}` }, ...names.map((name, d) => element("option", { value: d }, name)));
      select.value = ranked[i];
      select.addEventListener("change", showMap);
      map.querySelector(".chooser").append(element("label", { htmlFor: select.id }, `${way}: `, select));
    });
    addDownload(map, () => mapRows.map((row) => ({ [`first: ${names[map.querySelectorAll("select")[0].value]}`]: row.first,
      [`second: ${names[map.querySelectorAll("select")[1].value]}`]: row.second, mean: row.mean })));
  }
  addDownload(slices, () => sliceRows);
  showPrediction();
  showSlices();
  showMap();
}

// The runs that were made, in the user's units.
const runsOf = (emulator) =>
  emulator.inputs.map((unit, i) => ({ at: emulator.toUser(unit), y: emulator.output_mean + emulator.output_sd * emulator.output[i] }));

// ---- plots of the pairs that are ticked ----

const kMostPairs = 4;

// Boxes for `names`, those of `first` ticked, and a panel for every pair of ticked ones.
function showTicked(figure, names, first, panelOf) {
  const plot = figure.querySelector(".plot");
  const boxes = names.map((name, i) => {
    const box = element("input", { type: "checkbox", checked: first.has(i), value: i });
    box.addEventListener("change", drawTicked);
    figure.querySelector(".chooser").append(element("label", {}, box, ` ${name}`));
    return box;
  });
  function drawTicked() {
    const chosen = boxes.filter((box) => box.checked).map((box) => Number(box.value));
    const panels = chosen.flatMap((j, row) => chosen.slice(0, row).map((i) => panelOf(i, j)));
    plot.replaceChildren(...(panels.length ? panels : [note("Tick two or more.")]));
  }
  plot.classList.add("many");
  drawTicked();
}

function showPairs(figure, posterior, ranked) {
  const nugget = posterior.coordinates.findIndex((coordinate) => coordinate.is_nugget);
  figure.querySelector(".plot").before(legend([
    ...posterior.modes.map((mode) => [symbolOf(mode.number - 1), colourOf(mode.number - 1), mode.name]),
    ["times", "currentColor", "MAP"],
  ]));
  if (posterior.coordinates.length < 2) {
    figure.querySelector(".plot").replaceChildren(note("There is one coordinate: its posterior is shown above."));
  } else {
    const first = new Set([...ranked.slice(0, nugget < 0 ? kMostPairs : kMostPairs - 1), nugget]);
    showTicked(figure, posterior.coordinates.map((coordinate) => coordinate.name), first, (i, j) => pairPanel(posterior, i, j));
  }
  const labels = posterior.coordinates.map((coordinate) => coordinate.label);
  figure.querySelector("table.filled thead tr").replaceChildren(...["draw", "mode", ...labels].map((label) => element("th", { scope: "col" }, label)));
  fillTable(figure, posterior.draws.map((draw, i) => [i + 1, draw.mode, ...draw.at]));
  addDownload(figure, () => posterior.draws.map((draw, i) => ({ draw: i + 1, mode: draw.mode, ...Object.fromEntries(labels.map((label, d) => [label, draw.at[d]])) })));
}

function showNextRuns(figure, { next_runs, model: { inputs: names, output } }, emulator, ranked) {
  const runs = runsOf(emulator);
  if (names.length < 2) {
    figure.querySelector(".plot").replaceChildren(runsAlongOne(names[0], emulator.isLog(0), output, runs.map(({ at, y }) => ({ x: at[0], y })), next_runs.rows));
  } else {
    showTicked(figure, names, new Set(ranked.slice(0, kMostPairs)), (i, j) => runsPanel(emulator, names, i, j, runs.map(value("at")), next_runs.rows));
  }
  figure.querySelector(".plot").after(legend([["circle", "var(--main)", "runs"], ["open", "var(--other)", "next runs, in the order of their choice"]]));
  addDownload(figure, () => next_runs.rows.map((run) => ({ ...Object.fromEntries(names.map((name, d) => [name, run.at[d]])), [`${output}_mean`]: run.mean, [`${output}_sd`]: run.sd, [`${output}_imse`]: run.value })));
}

// ---- models of an average: one is shown at a time ----

function addModelChoosers(root, models) {
  const selects = [...root.querySelectorAll(".model-chooser")].map((form, i) => {
    const select = element("select", { id: `${root.dataset.prefix ?? ""}model-${i}` }, ...models.map((model) => element("option", { value: model.index }, model.title)));
    select.addEventListener("change", () => show(select.value));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.append(element("label", { htmlFor: select.id }, `${form.dataset.label}: `, select));
    return select;
  });
  function show(index) {
    for (const select of selects) select.value = index;
    for (const block of root.querySelectorAll(".of-model")) block.hidden = block.dataset.model !== String(index);
  }
  show(0);
}

// ---- an output's part of the page ----

class View {
  constructor(root, record) {
    Object.assign(this, { root, record, prefix: root.dataset?.prefix ?? "", isDrawn: false });
    // Without this script every table is open.
    for (const details of root.querySelectorAll("details")) details.open = false;
    if (record.average && record.models.length > 1) addModelChoosers(root, record.models);
  }

  draw() {
    if (this.isDrawn) return;
    this.isDrawn = true;
    const { root, record } = this;
    this.emulator = record.emulator ? new PageEmulator(record.emulator) : null;
    const ranked = (record.inputs?.rows ?? []).map((row) => row.column);
    for (const plot of root.querySelectorAll(".shape .many")) plot.classList.toggle("few", record.model.num_inputs <= 3);
    for (const figure of root.querySelectorAll("figure[data-figure]")) {
      const { figure: name } = figure.dataset;
      if (name in figures) drawStatic(figure, record);
      if (name === "pairs") showPairs(figure, partOf(figure, record).posterior, ranked);
      if (name === "next_runs") showNextRuns(figure, record, this.emulator, ranked);
    }
  }

  // Draw by draw, with pauses, so that the page stays quick to scroll meanwhile; at once for paper.
  finishThen(action, pauseAfter = 30) {
    this.draw();
    const until = performance.now() + pauseAfter;
    while (this.emulator?.prepareNext()) {
      if (performance.now() > until) return void setTimeout(() => this.finishThen(action), 0);
    }
    if (this.emulator && !this.isInteractive) showInteractive(this, this.emulator);
    this.isInteractive = true;
    action();
  }
}

// ---- tabs, one per output (the ARIA Authoring Practices' pattern) ----

function addTabs(list, views, onShow) {
  const tabs = [...list.querySelectorAll("a")];
  list.setAttribute("role", "tablist");
  tabs.forEach((tab, i) => {
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", views[i].root.id);
    views[i].root.setAttribute("role", "tabpanel");
    views[i].root.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", (event) => { event.preventDefault(); choose(i); });
    tab.addEventListener("keydown", (event) => {
      const next = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1, " ": i }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      choose((next + tabs.length) % tabs.length);
      tabs[(next + tabs.length) % tabs.length].focus();
    });
  });
  function choose(chosen) {
    tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", i === chosen);
      tab.tabIndex = i === chosen ? 0 : -1;
      views[i].root.hidden = i !== chosen;
    });
    onShow(views[chosen]);
  }
  // A link to a section of one output opens its tab.
  const linked = views.findIndex(({ root }) => location.hash && root.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`));
  choose(Math.max(0, linked));
}

function showView(view) {
  delete document.documentElement.dataset.ready;
  view.finishThen(() => { document.documentElement.dataset.ready = ""; });
}

const views = record.kind === "outputs"
  ? [...document.querySelectorAll(".output")].map((root, i) => new View(root, record.outputs[i]))
  : [new View(document.body, record)];
// On paper there are all outputs, and nobody can open the settings.
for (const [event, open] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(event, () => {
    if (open) for (const view of views) view.finishThen(() => {}, Infinity);
    for (const details of document.querySelectorAll(".provenance details, #settings details")) details.open = open;
  });
}
if (record.kind === "outputs") addTabs(document.querySelector(".tabs"), views, showView);
else showView(views[0]);
