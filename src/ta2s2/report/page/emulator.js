"use strict";
// The emulator of docs/math.md, sections 1 and 15, for few draws: what `ta2s2 predict` computes, from the record alone.

// Per correlation: a run's distance along one input, in its own measure, and the correlation from these: a product over
// inputs with one exponential, or of `whole` factors, or no product but a function of their sum (`radial`).
const correlations = {
  "squared-exponential": { scaled: (r, phi) => (0.5 * r * r) / phi, polynomial: () => 1 },
  "power-exponential": { scaled: (r, phi, power) => 0.5 * Math.pow(Math.abs(r) / Math.sqrt(phi), power), polynomial: () => 1 },
  matern52: { scaled: (r, phi) => Math.abs(r) * Math.sqrt(5 / phi), polynomial: (s) => 1 + s + (s * s) / 3 },
  matern32: { scaled: (r, phi) => Math.abs(r) * Math.sqrt(3 / phi), polynomial: (s) => 1 + s },
  rational: { scaled: (r, phi) => (0.5 * r * r) / phi, whole: (s, share) => (1 + share * s) / (1 + s) },
  "rational-quadratic": { scaled: (r, phi) => (0.5 * r * r) / phi, polynomial: () => 1, radial: (s, shape) => Math.exp(-shape * Math.log1p(s / shape)) },
};

// Per transformation g of an output, with its sign and a draw's parameters: g of the reduced output (`to`), and back
// (`from`). Outside the domain g is infinite; beyond what g reaches, the output is the domain's end.
const transforms = {
  log: (sign) => ({ to: (u) => sign * Math.log(Math.max(u, 0)), from: (g) => Math.exp(sign * g) }),
  "box-cox": (sign, logShift, power) => {
    const shift = Math.exp(logShift), end = power > 0 ? -shift : Infinity;
    return {
      to: (u) => {
        const log = Math.log(Math.max(u + shift, 0));
        return sign * (log === -Infinity || power === 0 ? log : Math.expm1(power * log) / power);
      },
      from: (g) => {
        const w = sign * g;
        return 1 + power * w <= 0 ? end : Math.exp(power === 0 ? w : Math.log1p(power * w) / power) - shift;
      },
    };
  },
  "sinh-arcsinh": (_, logTail, skew) => {
    const tail = Math.exp(logTail);
    return { to: (u) => Math.sinh(tail * Math.asinh(u) - skew), from: (g) => Math.sinh((Math.asinh(g) + skew) / tail) };
  },
};

// What a draw's process stands for, in standardised units.
function outputMap(transform, parameters = []) {
  if (!transform) return { to: (y) => y, from: (g) => g };
  const { kind, sign, origin, scale } = transform, { to, from } = transforms[kind](sign, ...parameters);
  return { to: (y) => to((sign * y - origin) / scale), from: (g) => sign * (origin + scale * from(g)) };
}

// Each scale of an input maps the user's units to an axis with even steps (`to`), and back (`from`).
const scales = {
  linear: { to: (x) => x, from: (x) => x },
  log: { to: Math.log, from: Math.exp },
};

// Of the first `count` numbers. Four sums, as an addition waits for the one before it: that takes a third less time.
function dot(a, b, count = a.length) {
  let first = 0, second = 0, third = 0, fourth = 0, i = 0;
  for (; i + 3 < count; i += 4) {
    first += a[i] * b[i];
    second += a[i + 1] * b[i + 1];
    third += a[i + 2] * b[i + 2];
    fourth += a[i + 3] * b[i + 3];
  }
  for (; i < count; ++i) first += a[i] * b[i];
  return first + second + (third + fourth);
}

// L of a symmetric matrix in rows, L[i][j] for j <= i; null if it is not positive definite.
function cholesky(rows) {
  const n = rows.length;
  const L = rows.map((row) => Float64Array.from(row));
  for (let i = 0; i < n; ++i) {
    for (let j = 0; j <= i; ++j) {
      const a = L[i], b = L[j], sum = a[j] - dot(a, b, j);
      if (i === j && !(sum > 0)) return null;
      a[j] = i === j ? Math.sqrt(sum) : sum / b[j];
    }
  }
  return L;
}

function solveLower(L, b) {
  const x = new Float64Array(b);
  for (let i = 0; i < x.length; ++i) x[i] = (x[i] - dot(L[i], x, i)) / L[i][i];
  return x;
}

function solveLowerTransposed(L, b) {
  const x = Float64Array.from(b);
  for (let i = x.length - 1; i >= 0; --i) {
    x[i] /= L[i][i];
    for (let k = 0; k < i; ++k) x[k] -= L[i][k] * x[i];
  }
  return x;
}

// Orthonormal columns U and upper triangular R of the given columns, by modified Gram-Schmidt.
function orthonormalise(columns) {
  const U = [], R = columns.map(() => new Float64Array(columns.length));
  columns.forEach((column, j) => {
    const u = Float64Array.from(column);
    U.forEach((v, k) => {
      R[k][j] = dot(v, u);
      for (let i = 0; i < u.length; ++i) u[i] -= R[k][j] * v[i];
    });
    R[j][j] = Math.sqrt(dot(u, u));
    for (let i = 0; i < u.length; ++i) u[i] /= R[j][j];
    U.push(u);
  });
  return { U, R };
}

// Where a rising function passes zero between two points: regula falsi, halving where it is slow or the function jumps.
function risingRoot(f, low, high, tolerance) {
  let atLow = f(low), atHigh = f(high);
  for (let i = 0; i < 100 && high - low > tolerance; ++i) {
    const secant = low - (atLow * (high - low)) / (atHigh - atLow);
    const x = i % 3 === 2 || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
    const y = f(x);
    if (y < 0) {
      low = x;
      atLow = y;
      atHigh *= 0.5;
    } else {
      high = x;
      atHigh = y;
      atLow *= 0.5;
    }
  }
  return 0.5 * (low + high);
}

// Nodes for means over a Student t, as predictive/student_rule.hpp has them but fewer: t = sqrt(df) sinh(w / sqrt(df))
// at even steps of w, in which its density is nearly normal.
function studentRule(df) {
  const step = 0.75, fall = 13, root = Math.sqrt(df), half = Math.ceil((root * Math.acosh(Math.exp(fall / df))) / step);
  const nodes = Array.from({ length: 2 * half + 1 }, (_, k) => (step * (k - half)) / root)
    .map((u) => ({ t: root * Math.sinh(u), weight: Math.cosh(u) ** -df }));
  const total = nodes.reduce((sum, node) => sum + node.weight, 0);
  return nodes.map(({ t, weight }) => ({ t, weight: weight / total }));
}

// One draw: the output is its map's of a process whose predictive is Student t.
class Draw {
  constructor(model, { phi, nugget, weight, log_shape = 0, transform }) {
    const map = outputMap(model.transform, transform);
    Object.assign(this, { model, phi, nugget, weight, map, shape: Math.exp(log_shape) });
    const K = model.inputs.map((x, i) => {
      const row = new Float64Array(i + 1);
      for (let j = 0; j < i; ++j) row[j] = this.correlate(x, model.inputs[j]);
      row[i] = 1 + nugget;
      return row;
    });
    this.L = cholesky(K);
    if (!this.L) return;
    const columns = model.trend.map((_, j) => solveLower(this.L, model.inputs.map((x) => model.trendAt(x)[j])));
    Object.assign(this, orthonormalise(columns));
    const residual = solveLower(this.L, model.output.map(map.to));
    const coordinates = this.U.map((u) => {
      const along = dot(u, residual);
      for (let i = 0; i < residual.length; ++i) residual[i] -= along * u[i];
      return along;
    });
    // A coefficient with a proper prior is drawn towards zero: what its share is short of one stays in the residual.
    const kept = coordinates.map((along, j) => (1 - model.trendShares[j]) * along);
    this.scale2 = (dot(residual, residual) + dot(kept, coordinates)) / model.degreesOfFreedom;
    this.U.forEach((u, j) => {
      for (let i = 0; kept[j] !== 0 && i < residual.length; ++i) residual[i] += kept[j] * u[i];
    });
    this.dataWeights = solveLowerTransposed(this.L, residual);
    this.beta = coordinates.map((along, j) => model.trendShares[j] * along);
    for (let j = this.beta.length - 1; j >= 0; --j) {
      for (let k = j + 1; k < this.beta.length; ++k) this.beta[j] -= this.R[j][k] * this.beta[k];
      this.beta[j] /= this.R[j][j];
    }
  }

  correlate(x, w) {
    return this.whole(this.part(x, w));
  }

  // What the inputs contribute, but one that may be left out: a product, or a sum if the correlation is radial.
  part(x, w, without = -1) {
    const { scaled, polynomial, whole, radial } = this.model.form, { power, share } = this.model.correlation;
    let sum = 0, product = 1;
    for (let d = 0; d < x.length; ++d) {
      if (d === without) continue;
      const s = scaled(x[d] - w[d], this.phi[d], power);
      if (whole) {
        product *= whole(s, share);
      } else {
        sum += s;
        product *= polynomial(s);
      }
    }
    return radial ? sum : product * Math.exp(-sum);
  }

  // The same of one input.
  partOf(d, r) {
    const { scaled, polynomial, whole, radial } = this.model.form, { power, share } = this.model.correlation;
    const s = scaled(r, this.phi[d], power);
    if (radial) return s;
    return whole ? whole(s, share) : polynomial(s) * Math.exp(-s);
  }

  joined(part, other) {
    return this.model.form.radial ? part + other : part * other;
  }

  whole(part) {
    return this.model.form.radial ? this.model.form.radial(part, this.shape) : part;
  }

  // `cross`: the correlations of x with the runs.
  predict(x, cross = this.model.inputs.map((run) => this.correlate(run, x))) {
    return new DrawLaw(this, x, cross);
  }
}

// A draw's Student t of a new run, nugget included, before its map back to the output. The scale takes the square of
// the runs, and is found when it is asked for.
class DrawLaw {
  constructor(draw, x, cross) {
    Object.assign(this, { draw, h: draw.model.trendAt(x), cross, foundScale: -1 });
    this.mean = dot(cross, draw.dataWeights) + dot(this.h, draw.beta);
  }

  get weight() {
    return this.draw.weight;
  }

  get scale() {
    if (this.foundScale < 0) this.foundScale = this.findScale();
    return this.foundScale;
  }

  findScale() {
    const { L, U, R, model, scale2, nugget } = this.draw, G = solveLower(L, this.cross);
    const E = [...this.h];  // solves R' E = h
    for (let j = 0; j < E.length; ++j) {
      for (let k = 0; k < j; ++k) E[j] -= R[k][j] * E[k];
      E[j] /= R[j][j];
    }
    const leftOver = E.map((value, j) => value - dot(U[j], G));
    const shared = leftOver.map((value, j) => model.trendShares[j] * value);
    const c = Math.max(0, 1 - dot(G, G) + dot(leftOver, shared));
    return Math.sqrt(scale2 * (c + nugget));
  }
}

// One model of the runs: what a draw's numbers mean.
class Model {
  constructor({ inputs, output, degrees_of_freedom }, { correlation, trend, trend_shares, transform }) {
    Object.assign(this, { inputs, output, correlation, trend, transform, form: correlations[correlation.name], trendShares: trend_shares, degreesOfFreedom: degrees_of_freedom });
  }

  trendAt(x) {
    return this.trend.map(({ input, power }) => Math.pow(x[input], power));
  }
}

class PageEmulator {
  constructor(record) {
    Object.assign(this, record);
    this.scales ??= this.low.map(() => "linear");  // a record without scales has linear inputs alone
    this.axes = this.low.map((low, d) => {
      const { to, from } = scales[this.scales[d]], start = to(low);
      return { to, from, start, span: to(low + this.width[d]) - start };
    });
    this.models = record.models.map((model) => new Model(record, model));
    this.rule = studentRule(this.degrees_of_freedom);
    this.ready = [];
    this.prepared = 0;
  }

  toUnit(point) {
    return point.map((value, d) => (this.axes[d].to(value) - this.axes[d].start) / this.axes[d].span);
  }

  toUser(unit) {
    return unit.map((u, d) => this.userValue(d, u));
  }

  // The same for one input.
  userValue(input, u) {
    const { from, start, span } = this.axes[input];
    return from(start + span * u);
  }

  isLog(input) {
    return this.scales[input] === "log";
  }

  // Factorises one more draw; true while there are more. A draw that rounding makes singular is left out.
  prepareNext() {
    if (this.prepared >= this.draws.length) return false;
    const numbers = this.draws[this.prepared++], draw = new Draw(this.models[numbers.model], numbers);
    if (draw.L) this.ready.push(draw);
    return this.prepared < this.draws.length;
  }

  // Of a number of each draw's law; a draw that was left out has no part.
  average(laws, number) {
    let sum = 0, total = 0;
    for (const law of laws) {
      sum += law.weight * number(law);
      total += law.weight;
    }
    return sum / total;
  }

  // Cubics through the tabulated distribution function and its slopes.
  studentCdf(t) {
    const { last, cdf, slope } = this.student;
    const step = last / (cdf.length - 1), u = Math.asinh(Math.abs(t)) / step, i = Math.min(Math.floor(u), cdf.length - 2);
    if (u >= cdf.length - 1) return t > 0 ? 1 : 0;
    const f = u - i, g = 1 - f;
    const upper = (1 + 2 * f) * g * g * cdf[i] + f * g * g * step * slope[i] + f * f * (3 - 2 * f) * cdf[i + 1] - f * f * g * step * slope[i + 1];
    return t > 0 ? upper : 1 - upper;
  }

  // Of the t itself; kept, since every quantile of a mixture starts from it.
  studentQuantile(level) {
    this.quantiles ??= new Map();
    if (!this.quantiles.has(level)) this.quantiles.set(level, risingRoot((t) => this.studentCdf(t) - level, -1e3, 1e3, 1e-12));
    return this.quantiles.get(level);
  }

  // The standardised output of a draw where its t is so much; what is transformed or recalibrated is clipped.
  outputAt({ draw, mean, scale }, t) {
    return this.clipped(draw.map.from(mean + t * scale));
  }

  clipped(y) {
    return this.clips ? Math.min(Math.max(y, this.clips.low), this.clips.high) : y;
  }

  // A mixture's quantile lies between those of its components.
  quantile(laws, level) {
    const t = this.studentQuantile(level);
    let low = Infinity, high = -Infinity, widest = 0;
    for (const law of laws) {
      const y = this.outputAt(law, t);
      low = Math.min(low, y);
      high = Math.max(high, y);
      widest = Math.max(widest, y - this.outputAt(law, t - 1));
    }
    const below = (y) => ({ draw, mean, scale }) => {
      const g = draw.map.to(y);
      return scale > 0 ? this.studentCdf((g - mean) / scale) : Number(g >= mean);
    };
    return risingRoot((y) => this.average(laws, below(y)) - level, low, high, 1e-7 * (widest || 1));
  }

  // The mean of f(output); of a draw that is not transformed it is known (`ofPlainDraw`). A recalibrated law has no draws
  // of its own, but quantiles.
  expected(laws, f, ofPlainDraw) {
    if (this.recalibration) {
      const { nodes } = this.recalibration;
      return nodes.reduce((sum, { level, weight }) => sum + weight * f(this.quantile(laws, level)), 0);
    }
    return this.average(laws, (law) => (law.draw.model.transform ? this.expectedOfDraw(law, f) : ofPlainDraw(law)));
  }

  expectedOfDraw({ draw, mean, scale }, f) {
    let sum = 0;
    for (const node of this.rule) sum += node.weight * f(this.clipped(draw.map.from(mean + node.t * scale)));
    return sum;
  }

  mean(laws) {
    return this.expected(laws, (y) => y, (law) => law.mean);
  }

  sd(laws) {
    const perScale2 = this.degrees_of_freedom / (this.degrees_of_freedom - 2), mean = this.mean(laws);
    const ofPlainDraw = (law) => perScale2 * law.scale ** 2 + (law.mean - mean) ** 2;
    return Math.sqrt(this.expected(laws, (y) => (y - mean) ** 2, ofPlainDraw));
  }

  toOutput(standardised) {
    return this.output_mean + this.output_sd * standardised;
  }

  // Mean and 95% interval in the user's units.
  summary(laws) {
    const { low, high } = this.recalibration ?? { low: 0.025, high: 0.975 };
    const end = (level) => this.toOutput(this.quantile(laws, level));
    return { mean: this.toOutput(this.mean(laws)), low: end(low), high: end(high) };
  }

  predict(point) {
    const x = this.toUnit(point), laws = this.ready.map((draw) => draw.predict(x));
    return { ...this.summary(laws), sd: this.output_sd * this.sd(laws) };
  }

  // Mean and 95% interval along one input, the others at the point: their part of the correlations is computed once.
  slice(point, input, count) {
    const x = this.toUnit(point);
    const others = this.ready.map((draw) => this.inputs.map((run) => draw.part(run, x, input)));
    return Array.from({ length: count }, (_, i) => {
      x[input] = i / (count - 1);
      const { mean, low, high } = this.summary(this.ready.map((draw, k) => draw.predict(
        x, this.inputs.map((run, j) => draw.whole(draw.joined(others[k][j], draw.partOf(input, run[input] - x[input])))))));
      return { x: this.userValue(input, x[input]), mean, low, high };
    });
  }

  // Means on a grid of two inputs, each input's part of the correlations computed once.
  meanGrid(point, first, second, count) {
    const grid = Array.from({ length: count }, (_, i) => (i + 0.5) / count), x = this.toUnit(point);
    const parts = this.ready.map((draw) => {
      const others = this.inputs.map((run) => run.reduce(
        (part, w, d) => (d === first || d === second ? part : draw.joined(part, draw.partOf(d, w - x[d]))), draw.part([], [])));
      const along = (d) => grid.map((u) => this.inputs.map((run) => draw.partOf(d, run[d] - u)));
      return { a: along(first).map((column) => column.map((part, i) => draw.joined(part, others[i]))), b: along(second) };
    });
    return grid.flatMap((u, i) => grid.map((v, j) => {
      x[first] = u;
      x[second] = v;
      const laws = this.ready.map((draw, k) => draw.predict(
        x, parts[k].a[i].map((part, run) => draw.whole(draw.joined(part, parts[k].b[j][run])))));
      return { first: this.userValue(first, u), second: this.userValue(second, v), mean: this.toOutput(this.mean(laws)) };
    }));
  }
}
