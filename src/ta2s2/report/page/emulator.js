"use strict";
// The emulator of docs/math.md, section 1, for few draws: what `ta2s2 predict` computes, from the record alone.

// Per correlation: a run's distance along one input, in its own measure, and the correlation from these: a product over
// inputs with one exponential, or of `whole` factors.
const correlations = {
  "squared-exponential": { scaled: (r, phi) => (0.5 * r * r) / phi, polynomial: () => 1 },
  "power-exponential": { scaled: (r, phi, power) => 0.5 * Math.pow(Math.abs(r) / Math.sqrt(phi), power), polynomial: () => 1 },
  matern52: { scaled: (r, phi) => Math.abs(r) * Math.sqrt(5 / phi), polynomial: (s) => 1 + s + (s * s) / 3 },
  matern32: { scaled: (r, phi) => Math.abs(r) * Math.sqrt(3 / phi), polynomial: (s) => 1 + s },
  rational: { scaled: (r, phi) => (0.5 * r * r) / phi, whole: (s, share) => (1 + share * s) / (1 + s) },
};

// Each scale of an input maps the user's units to an axis with even steps (`to`), and back (`from`).
const scales = {
  linear: { to: (x) => x, from: (x) => x },
  log: { to: Math.log, from: Math.exp },
};

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; ++i) sum += a[i] * b[i];
  return sum;
}

// L of a symmetric matrix in rows, L[i][j] for j <= i; null if it is not positive definite.
function cholesky(rows) {
  const n = rows.length;
  const L = rows.map((row) => Float64Array.from(row));
  for (let i = 0; i < n; ++i) {
    for (let j = 0; j <= i; ++j) {
      const a = L[i], b = L[j];
      let sum = a[j];
      for (let k = 0; k < j; ++k) sum -= a[k] * b[k];
      if (i === j && !(sum > 0)) return null;
      a[j] = i === j ? Math.sqrt(sum) : sum / b[j];
    }
  }
  return L;
}

function solveLower(L, b) {
  const x = Float64Array.from(b);
  for (let i = 0; i < x.length; ++i) {
    const row = L[i];
    let sum = x[i];
    for (let k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum / row[i];
  }
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

// One draw's Student t predictive, in standardised units.
class Draw {
  constructor(model, { phi, nugget, weight }) {
    Object.assign(this, { model, phi, nugget, weight });
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
    const residual = solveLower(this.L, model.output);
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

  // `without`: an input to leave out of the product.
  correlate(x, w, without = -1) {
    const { scaled, polynomial, whole } = this.model.form, { power, share } = this.model.correlation;
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
    return product * Math.exp(-sum);
  }

  factor(d, r) {
    const { scaled, polynomial, whole } = this.model.form, { power, share } = this.model.correlation;
    const s = scaled(r, this.phi[d], power);
    return whole ? whole(s, share) : polynomial(s) * Math.exp(-s);
  }

  // Of a new run: nugget included. `cross`: the correlations of x with the runs.
  predict(x, cross = this.model.inputs.map((run) => this.correlate(run, x))) {
    const h = this.model.trendAt(x);
    const G = solveLower(this.L, cross);
    const E = [...h];  // solves R' E = h
    for (let j = 0; j < E.length; ++j) {
      for (let k = 0; k < j; ++k) E[j] -= this.R[k][j] * E[k];
      E[j] /= this.R[j][j];
    }
    const leftOver = E.map((value, j) => value - dot(this.U[j], G));
    const shared = leftOver.map((value, j) => this.model.trendShares[j] * value);
    const c = Math.max(0, 1 - dot(G, G) + dot(leftOver, shared));
    return { mean: dot(cross, this.dataWeights) + dot(h, this.beta), scale: Math.sqrt(this.scale2 * (c + this.nugget)) };
  }
}

// One model of the runs: what a draw's numbers mean.
class Model {
  constructor({ inputs, output, degrees_of_freedom }, { correlation, trend, trend_shares }) {
    Object.assign(this, { inputs, output, correlation, trend, form: correlations[correlation.name], trendShares: trend_shares, degreesOfFreedom: degrees_of_freedom });
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

  // The mixture of what the draws predict, in the user's units.
  mixture(predict) {
    const total = this.ready.reduce((sum, draw) => sum + draw.weight, 0);
    return this.ready.map((draw, i) => {
      const { mean, scale } = predict(draw, i);
      return { weight: draw.weight / total, mean: this.output_mean + this.output_sd * mean, scale: this.output_sd * scale };
    });
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

  // A mixture's quantile lies between those of its components.
  quantile(components, level) {
    const t = this.studentQuantile(level);
    let low = Infinity, high = -Infinity, widest = 0;
    for (const { mean, scale } of components) {
      low = Math.min(low, mean + t * scale);
      high = Math.max(high, mean + t * scale);
      widest = Math.max(widest, scale);
    }
    const excess = (x) => {
      let sum = -level;
      for (const c of components) sum += c.weight * (c.scale > 0 ? this.studentCdf((x - c.mean) / c.scale) : Number(x >= c.mean));
      return sum;
    };
    return risingRoot(excess, low, high, 1e-7 * (widest || 1));
  }

  summary(components) {
    const perScale2 = this.degrees_of_freedom / (this.degrees_of_freedom - 2);
    const mean = components.reduce((sum, c) => sum + c.weight * c.mean, 0);
    const variance = components.reduce(
      (sum, c) => sum + c.weight * (perScale2 * c.scale * c.scale + (c.mean - mean) * (c.mean - mean)), 0);
    return { mean, sd: Math.sqrt(variance), low: this.quantile(components, 0.025), high: this.quantile(components, 0.975) };
  }

  predict(point) {
    const x = this.toUnit(point);
    return this.summary(this.mixture((draw) => draw.predict(x)));
  }

  // Mean and 95% interval along one input, the others at the point: their part of the correlations is computed once.
  slice(point, input, count) {
    const x = this.toUnit(point);
    const others = this.ready.map((draw) => this.inputs.map((run) => draw.correlate(run, x, input)));
    return Array.from({ length: count }, (_, i) => {
      x[input] = i / (count - 1);
      const { mean, low, high } = this.summary(this.mixture((draw, k) => draw.predict(
        x, this.inputs.map((run, j) => others[k][j] * draw.factor(input, run[input] - x[input])))));
      return { x: this.userValue(input, x[input]), mean, low, high };
    });
  }

  // Means on a grid of two inputs. The correlation is a product, so each input's part is computed once.
  meanGrid(point, first, second, count) {
    const grid = Array.from({ length: count }, (_, i) => (i + 0.5) / count), unit = this.toUnit(point);
    const total = this.ready.reduce((sum, draw) => sum + draw.weight, 0);
    const means = grid.map(() => new Float64Array(count));
    for (const draw of this.ready) {
      const others = this.inputs.map((run) => run.reduce(
        (product, w, d) => (d === first || d === second ? product : product * draw.factor(d, w - unit[d])), 1));
      const along = (d) => grid.map((u) => this.inputs.map((run) => draw.factor(d, run[d] - u)));
      const a = along(first).map((column) => column.map((value, i) => value * others[i] * draw.dataWeights[i])), b = along(second);
      grid.forEach((u, i) => grid.forEach((v, j) => {
        const x = unit.map((value, d) => (d === first ? u : d === second ? v : value));
        means[i][j] += (draw.weight / total) * (dot(a[i], b[j]) + dot(draw.model.trendAt(x), draw.beta));
      }));
    }
    return grid.flatMap((u, i) => grid.map((v, j) => (
      { first: this.userValue(first, u), second: this.userValue(second, v), mean: this.output_mean + this.output_sd * means[i][j] })));
  }
}
