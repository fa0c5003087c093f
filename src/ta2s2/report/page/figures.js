// One function a figure: from its part of the record to its rows, as the CSV has them, and to drawings of them.
// Names from the data are only ever text: never a field, a colour or markup.

// On a telephone a figure is drawn as small as it is shown, so that its text can be read.
const isNarrow = document.documentElement.clientWidth < 600, kWidth = isNarrow ? 320 : 460;
const kSize = { width: kWidth, height: isNarrow ? 240 : 300, marginLeft: 58, marginBottom: 40 };
const kSmall = { width: 250, height: 170, marginLeft: 48, marginBottom: 36, marginTop: 22 };
const kMedium = { width: 340, height: 220, marginLeft: 48, marginBottom: 36, marginTop: 22 };  // where there are few
const kStyle = { background: "none", color: "currentColor", fontSize: "12px" };
const kNameLength = isNarrow ? 12 : 20, kModelLength = "rational-quadratic*box-cox".length;

function draw(label, options) {
  const svg = Plot.plot({ style: kStyle, ...options });
  for (const part of svg.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");  // a picture has one label
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  return svg;
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const shorten = (name, length = 14) => (name.length > length ? `${name.slice(0, length - 1)}…` : name);
const value = (key) => (row) => row[key];

function readable(number, digits = 4) {
  const size = Math.abs(number);
  return size > 0 && (size < 1e-4 || size >= 1e7) ? Number(number.toPrecision(digits)).toExponential() : String(Number(number.toPrecision(digits)));
}

// A few round numbers for a logarithmic axis: powers of ten over many decades, threes between them over some, else round
// numbers of even spacing.
function logTicks(values, most = 4) {
  const low = Math.min(...values), high = Math.max(...values), decades = Math.log10(high / low);
  if (decades >= 1.5) {
    const step = Math.max(1, Math.ceil(decades / most)), first = Math.floor(Math.log10(low)), last = Math.floor(Math.log10(high));
    const powers = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => 10 ** (first + i * step));
    return (decades > 3 ? powers : powers.flatMap((x) => [x, Number((3 * x).toPrecision(1))])).filter((x) => low <= x && x <= high);
  }
  const rough = (high - low) / most, unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5, 10].find((k) => k * unit >= rough) ?? 10);
  return Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, i) => Number(((Math.ceil(low / step) + i) * step).toPrecision(6))).filter((x) => x > 0);
}

// An axis of numbers that span decades.
const logAxis = (label, values) => ({ type: "log", label, ticks: logTicks(values), tickFormat: (x) => readable(x, 3), inset: 6 });

// An axis of an input, which has the scale that the fit has.
const inputAxis = (label, isLog, values, more) => (isLog ? { ...logAxis(label, values), ...more } : { label, ticks: 4, ...more });

// Ticks on whole numbers, few enough to be read.
function levelAxis(levels) {
  const numbers = levels.map((level) => level.level), step = Math.ceil(numbers.length / 7);
  return { label: "level", ticks: numbers.filter((_, i) => i % step === 0), tickFormat: "d" };
}

// For sentences where something may be too small to count.
const atLeast = (number, least, digits = 2) => (number < least ? `< ${readable(least, 1)}` : readable(number, digits));

// Of modes and moves, by their index.
const colourOf = (index) => `var(--mode${1 + (index % 5)})`, symbolOf = (index) => ["circle", "triangle", "square", "diamond", "star"][index % 5];

const figures = {
  truth: {
    rows: ({ runs }) => runs,
    draw({ runs }, context) {
      const observed = runs.map((run) => run.observed), low = Math.min(...observed), high = Math.max(...observed);
      const isInside = (run) => run.low <= run.observed && run.observed <= run.high;
      const outside = runs.filter((run) => !isInside(run)), inside = runs.filter(isInside);
      return [draw(`${runs.length} runs: predicted mean with 95% interval against observed ${context.output}`, {
        ...kSize,
        x: { label: `observed ${shorten(context.output)}`, nice: true }, y: { label: "predicted", nice: true },
        marks: [
          Plot.link([0], { x1: low, y1: low, x2: high, y2: high, stroke: "var(--soft)", strokeDasharray: "4 3" }),
          Plot.ruleX(inside, { x: value("observed"), y1: value("low"), y2: value("high"), stroke: "var(--main)", strokeOpacity: 0.45 }),
          Plot.ruleX(outside, { x: value("observed"), y1: value("low"), y2: value("high"), stroke: "var(--other)" }),
          Plot.dot(inside, { x: value("observed"), y: value("mean"), r: 2.6, fill: "var(--main)" }),
          Plot.dot(outside, { x: value("observed"), y: value("mean"), r: 4, symbol: "diamond", fill: "var(--other)" }),
        ],
      }), legend([["circle", "var(--main)", "interval holds the observation"], ["diamond", "var(--other)", "it does not"]])];
    },
  },

  residuals: {
    rows: ({ runs }) => runs.map(({ run, mean, residual }) => ({ run, mean, residual })),
    draw({ runs }) {
      const far = Math.max(3, ...runs.map((run) => Math.abs(run.residual)));
      return [draw("standardised residuals against predicted mean", {
        ...kSize,
        x: { label: "predicted", nice: true }, y: { label: "residual / sd", domain: [-far, far], nice: true },
        marks: [
          Plot.ruleY([0], { stroke: "var(--soft)" }),
          Plot.ruleY([-2, 2], { stroke: "var(--soft)", strokeDasharray: "4 3" }),
          Plot.dot(runs.filter((r) => Math.abs(r.residual) <= 2), { x: value("mean"), y: value("residual"), r: 2.6, fill: "var(--main)" }),
          Plot.dot(runs.filter((r) => Math.abs(r.residual) > 2), { x: value("mean"), y: value("residual"), r: 4, symbol: "diamond", fill: "var(--other)" }),
        ],
      }), legend([["circle", "var(--main)", "within 2"], ["diamond", "var(--other)", "beyond"]])];
    },
  },

  k_hat: {
    rows: ({ runs }) => runs.map(({ run, k_hat }) => ({ run, k_hat })),
    draw({ runs, k_hats }) {
      const kinds = [["circle", "var(--main)", `up to ${k_hats.good}: good`], ["triangle", "var(--care)", `up to ${k_hats.largest}: of use`], ["diamond", "var(--bad)", "above: do not rely on it"]];
      // JSON has no infinity: null stands for it.
      const top = Math.max(1, ...runs.map((run) => run.k_hat ?? 0)), height = (run) => run.k_hat ?? top;
      const kindOf = (run) => (height(run) <= k_hats.good ? 0 : height(run) <= k_hats.largest ? 1 : 2);
      return [draw("k-hat of each left-out run, with lines at the limits", {
        ...kSize, x: { label: "run", tickFormat: "d", nice: true, insetLeft: 6 }, y: { label: "k-hat", domain: [Math.min(0, ...runs.map(height)), top], nice: true },
        marks: [
          Plot.ruleY([k_hats.good, k_hats.largest], { stroke: "var(--soft)", strokeDasharray: "4 3" }),
          ...kinds.map(([symbol, colour], kind) => Plot.dot(runs.filter((run) => kindOf(run) === kind), { x: value("run"), y: height, r: kind === 0 ? 2.6 : 4, symbol, fill: colour })),
        ],
      }), legend(kinds)];
    },
  },

  pit: {
    rows: ({ pit }) => pit.bins,
    draw({ pit }) {
      // Records of version 1 have one band for all bars.
      const bounds = pit.bins.flatMap(({ from, to, low = pit.low, high = pit.high }) => [low, high].map((y) => ({ from, to, y })));
      return [draw("histogram of the PIT with the band that chance allows", {
        ...kSize,
        x: { label: "share of the prediction below the observation" }, y: { label: "runs", grid: false },
        marks: [
          Plot.rectY(pit.bins, { x1: value("from"), x2: value("to"), y: value("runs"), fill: "var(--main)", fillOpacity: 0.75, inset: 0.5 }),
          Plot.link(bounds, { x1: value("from"), x2: value("to"), y1: value("y"), y2: value("y"), stroke: "var(--other)", strokeDasharray: "5 3", strokeWidth: 1.5 }),
          Plot.ruleY([0], { stroke: "currentColor" }),
        ],
      }), legend([["square", "var(--main)", "runs"], ["dash", "var(--other)", "the least and the most that chance allows a bar"]])];
    },
  },

  coverage: {
    rows: ({ coverage }) => coverage,
    draw: ({ coverage }) => [draw("share of runs inside central intervals against their level", {
      ...kSize,
      x: { label: "level of the interval", domain: [0, 1] }, y: { label: "share of runs inside", domain: [0, 1] },
      marks: [
        Plot.areaY(coverage, { x: value("level"), y1: value("low"), y2: value("high"), fill: "var(--chance)" }),
        Plot.link([0], { x1: 0, y1: 0, x2: 1, y2: 1, stroke: "var(--soft)" }),
        Plot.line(coverage, { x: value("level"), y: value("map"), stroke: "var(--other)", strokeDasharray: "5 3" }),
        Plot.line(coverage, { x: value("level"), y: value("observed"), stroke: "var(--main)", strokeWidth: 2 }),
        Plot.dot(coverage, { x: value("level"), y: value("observed"), fill: "var(--main)", r: 2.5 }),
      ],
    }), legend([["line", "var(--main)", "posterior"], ["dash", "var(--other)", "plug-in MAP"], ["square", "var(--chance)", "what chance allows"]])],
  },

  importance: {
    rows: ({ inputs }) => inputs.rows.map(({ name, first = {}, total, p_inert, p_active }) => ({
      input: name, main_q025: first.q025, main_q50: first.q50, main_q975: first.q975, total_q025: total.q025, total_q50: total.q50, total_q975: total.q975, p_inert, p_active })),
    draw({ inputs }) {
      // Records up to version 2 have no main effects.
      const kinds = [["total", "circle", "var(--main)", "total effect"], ["first", "triangle", "var(--other)", "main effect"]].filter(([key]) => inputs.rows[0][key]);
      const offset = (kind) => (kinds.length === 1 ? 0 : kind === 0 ? -5 : 6);
      const size = boxSize(inputs.rows);
      return [draw("main and total effect of each input, median and 95% intervals", {
        ...size, height: size.height + 8 * inputs.rows.length, x: { label: "share of the variance", domain: [0, Math.max(...inputs.rows.map((row) => row.total.q975), 0.05)], nice: true },
        y: { label: null, domain: inputs.rows.map((row) => row.name), tickFormat: (name) => shorten(name, kNameLength) },
        marks: [
          Plot.ruleX([inputs.inert_below], { stroke: "var(--soft)", strokeDasharray: "4 3" }),
          ...kinds.flatMap(([key, symbol, colour], kind) => [
            Plot.ruleY(inputs.rows, { y: value("name"), x1: (row) => row[key].q025, x2: (row) => row[key].q975, dy: offset(kind), stroke: colour, strokeWidth: 2.5 }),
            Plot.dot(inputs.rows, { y: value("name"), x: (row) => row[key].q50, dy: offset(kind), symbol, r: 3.6, fill: colour }),
          ]),
          Plot.text(inputs.rows, { y: value("name"), frameAnchor: "right", dx: 62, textAnchor: "end", text: (row) => atLeast(row.p_inert, 0.01), fill: "currentColor" }),
        ],
      }), legend(kinds.map(([, symbol, colour, text]) => [symbol, colour, text])),
      note(`At the right: P(inert), the probability that the total effect is below ${100 * inputs.inert_below}%, the dashed line.`)];
    },
  },

  weights: {
    rows: ({ average }) => average.rows,
    draw({ average: { rows, has_intervals } }) {
      const named = rows.map((row) => ({ ...row, name: row.model }));
      return [draw("weight of each model", {
        ...boxSize(named), marginLeft: 22 + 7 * Math.min(kModelLength, Math.max(...named.map(({ name }) => name.length))), x: { label: "weight", domain: [0, 1] },
        y: { label: null, domain: named.map(value("name")), tickFormat: (name) => shorten(name, kModelLength) },
        marks: [
          Plot.barX(named, { y: value("name"), x1: 0, x2: value("weight"), fill: "var(--main)", fillOpacity: 0.55, insetTop: 3, insetBottom: 3 }),
          ...(has_intervals ? [Plot.ruleY(named, { y: value("name"), x1: value("low"), x2: value("high"), stroke: "currentColor", strokeWidth: 2 })] : []),
          Plot.ruleX([0], { stroke: "currentColor" }),
          Plot.text(named, { y: value("name"), frameAnchor: "right", dx: 62, textAnchor: "end", text: (row) => atLeast(row.weight, 0.001, 3), fill: "currentColor" }),
        ],
      })];
    },
  },

  length_scales: {
    rows: ({ length_scales }) => length_scales.rows.map((row) => ({ input: row.name, from: row.low, to: row.high, ...row.length_scale })),
    draw: ({ length_scales: inputs }) => [draw("length-scale of each input in widths of its range, median, half and 95% intervals", {
      ...boxSize(inputs.rows), x: logAxis("length-scale / range of the input", [1, ...inputs.rows.flatMap(({ length_in_ranges: q }) => [q.q025, q.q975])]),
      y: { label: null, domain: inputs.rows.map((row) => row.name), tickFormat: (name) => shorten(name, kNameLength) },
      marks: [
        Plot.ruleX([1], { stroke: "var(--soft)", strokeDasharray: "4 3" }),
        ...boxes(inputs.rows, (row) => row.length_in_ranges),
        Plot.text(inputs.rows, { y: value("name"), frameAnchor: "right", dx: 62, textAnchor: "end", text: (row) => readable(row.length_scale.q50, 3), fill: "currentColor" }),
      ],
    }), note("At the right: the median in the input's own units. Dashed: the input's whole range.")],
  },

  nugget: {
    rows: ({ nugget: { q025, q25, q50, q75, q975 } }) => [{ q025, q25, q50, q75, q975 }],
    draw({ nugget }) {
      const rows = [{ name: "nugget" }];
      return [draw("nugget, median, half and 95% intervals", {
        ...boxSize(rows), marginRight: 20, x: logAxis("nugget", nugget.is_sampled ? [nugget.q025, nugget.q975] : [0.5 * nugget.q50, 2 * nugget.q50]), y: { label: null, domain: ["nugget"] },
        marks: nugget.is_sampled ? boxes(rows, () => nugget) : [Plot.tickX([nugget], { x: value("q50"), y: () => "nugget", stroke: "var(--main)", strokeWidth: 4 })],
      })];
    },
  },

  main_effects: {
    rows: ({ main_effects }) => main_effects.inputs.flatMap(({ name, rows }) => rows.map((row) => ({ input: name, ...row }))),
    draw({ main_effects }, context) {
      const y = commonRange(main_effects.inputs.flatMap(({ rows }) => rows));
      return main_effects.inputs.map(({ name, is_log, rows }) => curve(`main effect of ${name} on ${context.output}`, name, is_log, context.output, rows, y, sizeOf(main_effects.inputs)));
    },
  },

  both_effects: {
    rows: ({ fits }) => fits.flatMap(({ label, main_effects }) =>
      main_effects.inputs.flatMap(({ name, rows }) => rows.map((row) => ({ fit: label, input: name, ...row })))),
    draw({ fits }, context) {
      const [a, b] = fits.map((fit) => fit.main_effects.inputs);
      const y = commonRange([...a, ...b].flatMap(({ rows }) => rows));
      const panels = a.map(({ name, is_log, rows }) => {
        const other = b.find((effect) => effect.name === name)?.rows ?? [];
        return curve(`main effects of ${name} in both fits`, name, is_log, context.output, rows, y, sizeOf(a), band(other, "var(--other)", "5 3"));
      });
      return [...panels, legend([["line", "var(--main)", `first: ${fits[0].label}`], ["dash", "var(--other)", `second: ${fits[1].label}`]])];
    },
  },

  levels: {
    rows: ({ run }) => run.levels,
    draw({ run }) {
      const byLevel = (label, y, axis, rows = run.levels) => draw(`${label} by level`, {
        ...kSmall, x: levelAxis(rows), y: { label, ...axis },
        marks: [Plot.line(rows, { x: value("level"), y, z: value("stage"), stroke: "var(--main)" }), Plot.dot(rows, { x: value("level"), y, r: 2.5, fill: "var(--main)" })],
      });
      const warm = run.levels.filter((level) => level.temperature !== null);
      return [
        byLevel("temperature", value("temperature"), logAxis("temperature", warm.map(value("temperature"))), warm),
        byLevel("ESS of the weights", value("effective_sample_size"), { zero: true, ticks: 4 }),
        energies(run.levels),
        byLevel("evaluations", value("evaluations"), { zero: true, ticks: 4 }),
      ];
    },
  },

  moves: {
    rows: ({ run }) => run.moves,
    draw({ run }) {
      const names = [...new Set(run.moves.map((move) => move.name))];
      const levels = run.levels.filter((level) => run.moves.some((move) => move.level === level.level));
      const byMove = (label, y) => draw(`${label} by move and level`, {
        ...kMedium, x: levelAxis(levels), y: { label, zero: true, ticks: 4 },
        marks: names.flatMap((name, i) => {
          const rows = run.moves.filter((move) => move.name === name);
          return [Plot.line(rows, { x: value("level"), y, stroke: colourOf(i) }), Plot.dot(rows, { x: value("level"), y, r: 3, symbol: symbolOf(i), fill: colourOf(i) })];
        }),
      });
      return [
        byMove("acceptance", value("acceptance")), byMove("jump, in sds", value("jump")), byMove("evaluations a step (crumbs)", value("evaluations_per_step")),
        legend(names.map((name, i) => [symbolOf(i), colourOf(i), name])),
      ];
    },
  },
};

function energies(levels) {
  return draw("mean energy by level with two standard deviations", {
    ...kSmall, x: levelAxis(levels), y: { label: "energy, mean and 2 sd", ticks: 4 },
    marks: [
      Plot.areaY(levels, { x: value("level"), y1: (l) => l.mean_energy - 2 * l.sd_energy, y2: (l) => l.mean_energy + 2 * l.sd_energy, z: value("stage"), fill: "var(--band)" }),
      Plot.line(levels, { x: value("level"), y: value("mean_energy"), z: value("stage"), stroke: "var(--main)" }),
    ],
  });
}

function boxSize(rows) {
  const longest = Math.min(kNameLength, Math.max(...rows.map((row) => row.name.length)));
  return { width: kWidth, height: 62 + 24 * rows.length, marginLeft: 22 + 7 * Math.max(4, longest), marginRight: 68, marginBottom: 40 };
}

// 95% as a line, half as a bar, the median as a tick.
function boxes(rows, quantiles) {
  const at = (key) => (row) => quantiles(row)[key];
  return [
    Plot.ruleY(rows, { y: value("name"), x1: at("q025"), x2: at("q975"), stroke: "var(--main)", strokeWidth: 1.5 }),
    Plot.barX(rows, { y: value("name"), x1: at("q25"), x2: at("q75"), fill: "var(--main)", fillOpacity: 0.45, insetTop: 5, insetBottom: 5 }),
    Plot.tickX(rows, { y: value("name"), x: at("q50"), stroke: "currentColor", strokeWidth: 2.5, insetTop: 3, insetBottom: 3 }),
  ];
}

const sizeOf = (curves) => (curves.length <= 3 ? kMedium : kSmall);
const commonRange = (rows) => [Math.min(...rows.map(value("low"))), Math.max(...rows.map(value("high")))];

function band(rows, colour, dashes) {
  return [
    Plot.areaY(rows, { x: value("x"), y1: value("low"), y2: value("high"), fill: colour, fillOpacity: 0.2 }),
    Plot.line(rows, { x: value("x"), y: value("mean"), stroke: colour, strokeWidth: 2, strokeDasharray: dashes }),
  ];
}

// How a run that was not made yet is drawn: an open triangle.
const kNextRun = { symbol: "triangle", r: 4.5, stroke: "var(--other)", strokeWidth: 1.8, fill: "var(--page)" };

function curve(label, name, isLog, output, rows, y, size, moreMarks = []) {
  return draw(label, {
    ...size, x: inputAxis(shorten(name, 24), isLog, rows.map(value("x")), { inset: 0 }), y: { label: shorten(output, 24), domain: y, ticks: 4 },
    marks: [...band(rows, "var(--main)"), ...moreMarks],
  });
}

// Beside a curve: where the slider stands, runs, and the next ones, along the foot unless they have a height.
function marksOfSlice(here, runs, next, foot) {
  return [
    Plot.ruleX([here], { stroke: "var(--other)", strokeDasharray: "3 3" }),
    Plot.dot(runs, { x: value("x"), y: value("y"), r: 3, stroke: "currentColor", fill: "var(--page)" }),
    Plot.dot(next.filter((run) => run.y === undefined), { x: value("x"), y: () => foot, dy: -6, ...kNextRun }),
    Plot.dot(next.filter((run) => run.y !== undefined), { x: value("x"), y: value("y"), ...kNextRun }),
  ];
}

// Cells between centres that are equally spaced along the inputs' scales, and the colours' key.
function heatMap(emulator, names, output, first, second, cells, here, next) {
  const axis = (input, key) => {
    const { to, from } = emulator.axes[input], at = [...new Set(cells.map(value(key)))];
    const half = (to(Math.max(...at)) - to(Math.min(...at))) / (at.length - 1) / 2;
    const ends = { from: (c) => from(to(c[key]) - half), to: (c) => from(to(c[key]) + half) };
    const label = shorten(names[input], 30);
    return { ends, scale: inputAxis(label, emulator.isLog(input), at, { inset: 0, labelAnchor: "center", ...(emulator.isLog(input) ? {} : { ticks: isNarrow ? 4 : 6 }) }) };
  };
  const at = { x: value("first"), y: value("second") };
  const outlined = (points, symbol, strokeWidth) => [["#fff", 4], ["#000", strokeWidth]].map(([stroke, width]) =>  // seen on any ground
    Plot.dot(points, { ...at, symbol, r: 6, stroke, strokeWidth: width }));
  const across = axis(first, "first"), up = axis(second, "second"), color = { scheme: "viridis" };
  const map = draw(`predicted mean over ${names[first]} and ${names[second]}`, {
    width: isNarrow ? kWidth : 560, height: isNarrow ? 280 : 400, marginLeft: 72, marginBottom: 44, x: across.scale, y: up.scale, color,
    marks: [
      Plot.rect(cells, { x1: across.ends.from, x2: across.ends.to, y1: up.ends.from, y2: up.ends.to, fill: value("mean"), inset: -0.3 }),
      ...outlined(next, "triangle", 1.8), ...numbers(next, at, { dy: -13, fill: "#000", stroke: "#fff" }), ...outlined([here], "plus", 2),
    ],
  });
  const means = cells.map(value("mean")), low = Math.min(...means), high = Math.max(...means);
  const steps = Array.from({ length: 60 }, (_, i) => low + ((i + 0.5) / 60) * (high - low)), half = (high - low) / 120;
  const key = draw(`colours: ${readable(low, 3)} is dark, ${readable(high, 3)} is bright`, {
    width: isNarrow ? kWidth : 560, height: 52, marginLeft: 72, marginBottom: 34, marginTop: 2, x: { label: shorten(output, 30), labelAnchor: "center", ticks: isNarrow ? 4 : 6 }, y: { axis: null }, color,
    marks: [Plot.rectY(steps, { x1: (x) => x - half, x2: (x) => x + half, y1: 0, y2: 1, fill: (x) => x, inset: -0.3 })],
  });
  return [map, key];
}

const numbers = (runs, at, style) => [Plot.text(runs, { ...at, text: (run) => String(run.number), strokeWidth: 3, fontWeight: 600, ...style })];

// The next runs, open, with their numbers.
function numberedNext(next, at, dy) {
  return [Plot.dot(next, { ...at, ...kNextRun }), ...numbers(next, at, { dx: 9, dy, fill: "var(--other)", stroke: "var(--page)" })];
}

// Two inputs: runs that were made, filled, and the next ones.
function runsPanel(emulator, names, i, j, runs, next) {
  const axis = (d) => inputAxis(shorten(names[d], 18), emulator.isLog(d), runs.map((at) => at[d]), { nice: !emulator.isLog(d), inset: 6 });
  return draw(`runs and next runs over ${names[i]} and ${names[j]}`, {
    width: 250, height: 210, marginLeft: 56, marginBottom: 38, marginTop: 20, x: axis(i), y: axis(j),
    marks: [
      Plot.dot(runs, { x: (at) => at[i], y: (at) => at[j], r: 2.2, fill: "var(--main)", fillOpacity: 0.7 }),
      ...numberedNext(next, { x: (run) => run.at[i], y: (run) => run.at[j] }, -7),
    ],
  });
}

// One input: the output at the runs, and what is predicted of the next ones, with two standard deviations.
function runsAlongOne(name, isLog, output, runs, next) {
  return draw(`runs and next runs over ${name}`, {
    ...kMedium, x: inputAxis(shorten(name, 24), isLog, runs.map(value("x")), { inset: 6 }), y: { label: shorten(output, 24), ticks: 4, nice: true },
    marks: [
      Plot.dot(runs, { x: value("x"), y: value("y"), r: 2.6, fill: "var(--main)" }),
      Plot.ruleX(next, { x: (run) => run.at[0], y1: (run) => run.mean - 2 * run.sd, y2: (run) => run.mean + 2 * run.sd, stroke: "var(--other)" }),
      ...numberedNext(next, { x: (run) => run.at[0], y: value("mean") }, -9),
    ],
  });
}

// A panel of the pair plot: two coordinates, each mode with its own colour and shape, its maximum outlined, the MAP a cross.
function pairPanel(posterior, i, j) {
  const { coordinates, draws, modes, map } = posterior;
  const axis = (k) => logAxis(shorten(coordinates[k].name, 18), draws.map((d) => d.at[k]));
  const numbers = [...new Set(draws.map((d) => d.mode))];
  return draw(`draws of ${coordinates[i].label} and ${coordinates[j].label}`, {
    width: 230, height: 190, marginLeft: 52, marginBottom: 38, marginTop: 20, x: axis(i), y: axis(j),
    marks: [
      ...numbers.map((mode) => Plot.dot(draws.filter((d) => d.mode === mode), {
        x: (d) => d.at[i], y: (d) => d.at[j], r: 1.8, symbol: symbolOf(mode - 1), fill: colourOf(mode - 1), fillOpacity: 0.55 })),
      ...modes.map((mode) => Plot.dot([mode], { x: (m) => m.at[i], y: (m) => m.at[j], r: 7, symbol: symbolOf(mode.number - 1), stroke: colourOf(mode.number - 1), strokeWidth: 2, fill: "var(--page)" })),
      Plot.dot([map], { x: (m) => m.at[i], y: (m) => m.at[j], r: 4.5, symbol: "times", stroke: "currentColor", strokeWidth: 2 }),
    ],
  });
}

const shapes = {
  circle: '<circle cx="8" cy="8" r="5"/>', square: '<path d="M3 3h10v10H3z"/>', triangle: '<path d="M8 2l6 11H2z"/>',
  diamond: '<path d="M8 1l5 7-5 7-5-7z"/>', open: '<path d="M8 1l7 13H1z M8 5L4 12h8z" fill-rule="evenodd"/>', star: '<path d="M8 1l2 5h5l-4 3 2 6-5-4-5 4 2-6-4-3h5z"/>',
  line: '<path d="M0 7h16v2H0z"/>', dash: '<path d="M0 7h6v2H0zM9 7h6v2H9z"/>', times: '<path d="M3 2l5 5 5-5 1 1-5 5 5 5-1 1-5-5-5 5-1-1 5-5-5-5z"/>',
};

// Entries of [shape, colour, text].
function legend(entries) {
  return element("ul", { className: "legend" }, ...entries.map(([shape, colour, text]) => {
    const item = element("li", { innerHTML: `<svg viewBox="0 0 16 16" aria-hidden="true">${shapes[shape]}</svg>` }, text);
    item.firstChild.style.fill = colour;
    return item;
  }));
}

const note = (text) => element("p", { className: "where" }, text);
