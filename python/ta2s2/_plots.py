"""Pictures of a fit, by matplotlib."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

_BAND = "#9ecae1"
_LINE = "#08519c"
_POINT = "#d95f02"
_BINS = 40


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install ta2s2[plot]") from error
    return pyplot


def _grid(count: int, size: float = 3.0, most_columns: int = 4) -> tuple[Any, list[Any]]:
    columns = min(count, most_columns)
    rows = -(-count // columns)
    figure, axes = _pyplot().subplots(
        rows, columns, figsize=(size * columns, 0.85 * size * rows), squeeze=False, layout="constrained"
    )
    flat = list(axes.flat)
    for axis in flat[count:]:
        axis.set_visible(False)
    return figure, flat[:count]


def plot_posterior(em: Any) -> Any:
    """A weighted histogram of the logarithm of each length-scale and of the nugget, with the modes' maxima; a figure."""
    posterior = em.posterior_
    inputs = list(em.fit_.input_names)
    figure, axes = _grid(len(inputs) + 1)
    for i, (axis, name) in enumerate(zip(axes, [*inputs, None])):
        column = "nugget" if name is None else f"length_scale_{name}"
        axis.hist(np.log10(posterior[column]), bins=_BINS, weights=posterior.weights, color=_BAND)
        for mode in posterior.modes:
            top = mode.nugget if name is None else mode.length_scales[i]
            axis.axvline(np.log10(top), color=_LINE, linewidth=0.8 + 1.5 * mode.weight)
        axis.set_xlabel("log10 nugget" if name is None else f"log10 length-scale of {name}")
        axis.set_yticks([])
    axes[0].set_ylabel("posterior")
    figure.suptitle(f"{len(posterior)} draws; lines: maximum of each of {len(posterior.modes)} mode(s)", fontsize="medium")
    return figure


def plot_predictions(em: Any, level: float = 0.95, at: Optional[Sequence[float]] = None, points: int = 200) -> Any:
    """The prediction and its central interval along each input, through the point `at` (the middle of the runs, along the scale of each
    input); a figure."""
    fit = em._fitted()
    runs, output = fit.inputs, fit.output
    low, high = runs.min(axis=0), runs.max(axis=0)
    is_log = [scale == "log" for scale in fit.input_scales]
    middle = [np.sqrt(a * b) if log else (a + b) / 2 for a, b, log in zip(low, high, is_log)]
    centre = np.asarray(middle if at is None else at, dtype=float)
    figure, axes = _grid(runs.shape[1], 3.0 if runs.shape[1] > 1 else 5.0)
    for d, (axis, name) in enumerate(zip(axes, fit.input_names)):
        line = np.tile(centre, (points, 1))
        line[:, d] = (np.geomspace if is_log[d] else np.linspace)(low[d], high[d], points)
        tails = [(1 - level) / 2, (1 + level) / 2]
        mean, _, bands, _ = fit.predict(line, tails, False, False, em.threads)
        axis.fill_between(line[:, d], bands[:, 0], bands[:, 1], color=_BAND, label=f"{100 * level:g}% of a new run")
        axis.plot(line[:, d], mean, color=_LINE, label="mean")
        if runs.shape[1] == 1:
            axis.plot(runs[:, d], output, "o", color=_POINT, markersize=4, label="runs")
        axis.set_xlabel(name)
        if is_log[d]:
            axis.set_xscale("log")
    axes[0].set_ylabel(fit.output_name)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize="small")
    return figure


def plot_validation(em: Any, X: Any, y: Any, level: float = 0.95) -> Any:
    """Predictions against truths with their intervals, the PIT's histogram, and coverage against its level; a figure."""
    em._fitted()
    tails = [(1 - level) / 2, (1 + level) / 2]
    mean, bands = em.predict(X, quantiles=tails)
    scores = em.score_report(X, y).posterior
    truth = np.asarray(y, dtype=float).ravel()
    figure, (left, middle, right) = _grid(3, 3.6)
    _draw_intervals(left, truth, mean, bands, level)
    _draw_pit(middle, scores.pit)
    _draw_coverage(right, scores.pit)
    figure.suptitle(f"{scores.n} validation runs: RMSE {scores.rmse:.4g}, CRPS {scores.crps:.4g}", fontsize="medium")
    return figure


def _draw_intervals(axis: Any, truth: np.ndarray, mean: np.ndarray, bands: np.ndarray, level: float) -> None:
    errors = np.abs(bands.T - mean)
    axis.errorbar(truth, mean, yerr=errors, fmt="o", markersize=3, color=_LINE, ecolor=_BAND, elinewidth=1)
    ends = [min(truth.min(), bands.min()), max(truth.max(), bands.max())]
    axis.plot(ends, ends, color="grey", linewidth=0.8)
    axis.set(xlabel="truth", ylabel=f"prediction, {100 * level:g}% interval")


def _draw_pit(axis: Any, pit: np.ndarray) -> None:
    num_bins = int(np.clip(len(pit) // 10, 5, 20))
    expected = len(pit) / num_bins
    spread = 2 * np.sqrt(expected * (1 - 1 / num_bins))
    axis.hist(pit, bins=num_bins, range=(0, 1), color=_BAND, edgecolor="white", zorder=2)
    axis.axhspan(max(expected - spread, 0), expected + spread, color="lightgrey", label="flat, give or take 2 sd", zorder=1)
    axis.axhline(expected, color="grey", linewidth=0.8, zorder=3)
    axis.set_ylim(top=1.25 * max(expected + spread, np.histogram(pit, num_bins, (0, 1))[0].max()))
    axis.set(xlabel="predictive probability below the truth", ylabel="validation runs")
    axis.legend(fontsize="small")


def _draw_coverage(axis: Any, pit: np.ndarray) -> None:
    levels = np.linspace(0, 1, 101)
    inside = [np.mean(np.abs(pit - 0.5) <= level / 2) for level in levels]
    spread = 2 * np.sqrt(levels * (1 - levels) / len(pit))
    axis.fill_between(levels, levels - spread, levels + spread, color="grey", alpha=0.25, label="right, give or take 2 sd")
    axis.plot(levels, inside, color=_LINE, label="found")
    axis.set(xlabel="level of the interval", ylabel="share of truths inside", xlim=(0, 1), ylim=(0, 1))
    axis.legend(fontsize="small")


def plot_levels(em: Any) -> Any:
    """The way from the start density to the posterior: inverse temperature, effective size, acceptance, energy; a figure."""
    levels = em.posterior_.levels
    if not levels:
        raise ValueError("found a fit without a sample (fast), expected one with levels")
    figure, axes = _grid(4)
    # A line for each stage of the sampler. At its first level the inverse temperature is 0 and nothing has moved.
    stages: dict[str, list[int]] = {}
    for number, level in enumerate(levels):
        if level["level"] > 0:
            stages.setdefault(level.get("stage", ""), []).append(number)
    for axis, key, label in zip(
        axes,
        ["inverse_temperature", "effective_sample_size", "acceptance", "mean_energy"],
        ["inverse temperature", "effective size of the weights", "share of moves accepted", "energy, mean and sd"],
    ):
        for numbers in stages.values():
            values = [float(levels[number][key]) for number in numbers]
            if key == "mean_energy":
                sds = [levels[number]["sd_energy"] for number in numbers]
                axis.errorbar(numbers, values, yerr=sds, fmt="o-", color=_LINE, ecolor=_BAND)
            else:
                axis.plot(numbers, values, "o-", color=_LINE)
        axis.set(xlabel="level", ylabel=label)
    axes[0].set_yscale("log")
    axes[1].set_ylim(bottom=0)
    axes[2].set_ylim(0, 1)
    return figure
