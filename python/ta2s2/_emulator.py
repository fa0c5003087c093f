"""The emulator, with scikit-learn's interface; scikit-learn itself is not needed."""

from __future__ import annotations

import copy
import html
import os
import warnings
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _arrays, _core, _plots, _results, _settings
from ._fit_settings import FitSettings
from ._progress import level_bar
from ._report import Report, summary_html
from ._results import (
    Judgement,
    NextRuns,
    Posterior,
    ScoreReport,
    Sensitivity,
    activity_of,
    judgement_of,
    model_weights,
    posterior_of,
    warn_of,
)
from .errors import DataNotice, ExtrapolationWarning, UsageError

_LEAST_RUNS = 3


def _warn_of_outside(outside: np.ndarray) -> None:
    """For predict(), whose caller is to see the warning."""
    if len(outside) > 0 and outside.max() > 0:
        sentence = _core.outside_warning(int((outside > 0).sum()), len(outside), float(outside.max()))
        warnings.warn(sentence, ExtrapolationWarning, stacklevel=3)


def _default_names(count: int) -> list[str]:
    return [f"x{i}" for i in range(1, count + 1)]


def _seed(random_state: Any) -> int:
    """A seed from what scikit-learn calls a random state: a number, a generator, or None for numpy's global one."""
    if random_state is None:
        return int(np.random.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(np.iinfo(np.int64).max))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(np.iinfo(np.int32).max))
    return random_state


def _by_output(arrays: list[np.ndarray], axis: int = 1) -> np.ndarray:
    """One array for all outputs, which have an axis if there are several."""
    return arrays[0] if len(arrays) == 1 else np.stack(arrays, axis=axis)


def _names_in(setting: Any) -> list[str]:
    """The names in a text with commas or a list; none in None."""
    if setting is None or setting == "":
        return []
    return setting.split(",") if isinstance(setting, str) else [str(name) for name in setting]


def _places(wanted: list[str], names: list[str]) -> list[int]:
    for name in wanted:
        if name not in names:
            raise UsageError(f"there is no column \"{name}\"; expected one of {', '.join(names)}")
    return [names.index(name) for name in wanted]


class EmulatorRegressor(FitSettings):
    __doc__ = f"""A fully Bayesian Gaussian-process emulator.

    Takes every setting of ``ta2s2 fit``, by the same name with underscores; `seed` is called `random_state`, and `transform`
    `output_transform`. None counts as not given: the library then chooses, and what `sampler` stands for is set by it.

    Parameters
    ----------
{_settings.describe(list(_settings.OPTIONS))}
    progress : default False
        Show a bar over the levels, if tqdm is installed.

    Attributes
    ----------
    n_features_in_ : number of columns of X.
    feature_names_in_ : their names, if X was a table with names.
    judgement_ : whether the emulator may be used: a grade, a headline and findings (:class:`Judgement`).
    posterior_ : draws, weights, evidence, modes and levels (:class:`Posterior`); of an average, those of the model with the
        largest weight.
    posteriors_ : the same of every model, by name.
    activity_ : by input, the posterior probability that it acts (`probability`), and that it acts and hardly otherwise than
        linearly (`linear`); of several outputs, such a dict for each.
    model_weights_ : what each model weighs, by name; of several outputs, such a dict for each.
    outputs_ : an emulator for each output, by name.
    fit_ : the record that the model file holds, of one output.
    fits_ : the records of all outputs.

    Examples
    --------
    >>> import numpy as np
    >>> from ta2s2 import EmulatorRegressor
    >>> x = np.linspace(0, 1, 8)[:, None]
    >>> em = EmulatorRegressor(samples=200, random_state=1).fit(x, np.sin(6 * x[:, 0]))
    >>> mean, std = em.predict([[0.5]], return_std=True)
    >>> bool(abs(mean[0] - np.sin(3)) < 0.05)
    True
    """

    n_features_in_: int
    feature_names_in_: np.ndarray
    input_columns_: np.ndarray  # those of X that the fit uses
    fits_: list[Any]

    # ---- fitting ----

    def fit(self, X: Any, y: Any) -> EmulatorRegressor:
        """Learns from runs of the simulator: a row of X for each, and its output in y.

        A y of several columns holds several outputs of the same runs: each gets an emulator, to the bit its own, in one model file.
        They are called as a table's columns are, else as `output` says or y1, y2 and so on; of a table, `output` chooses columns.

        Inputs that never change are left out. Runs that failed must be left out by the caller: NaN is refused.
        Ctrl-C stops within a second. With `checkpoint`, what was done until then or until `time_limit` is kept in that file, and
        fit() with the same data and settings goes on from it to the same bits.

        >>> EmulatorRegressor(fast=True).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0]).n_features_in_
        1
        >>> x = [[0.0], [0.3], [0.5], [0.7], [1.0]]
        >>> em = EmulatorRegressor(fast=True).fit(x, [[0.0, 3], [0.2, 2], [0.6, 1], [0.9, 2], [1.0, 5]])
        >>> em.predict([[0.5], [0.6], [0.8]]).shape
        (3, 2)
        """
        names = _arrays.column_names(X)
        inputs = _arrays.matrix(X, self, _LEAST_RUNS)
        outputs, output_names = self._chosen_outputs(y, _arrays.outputs(y, self, len(inputs)))
        self.n_features_in_ = inputs.shape[1]
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        all_names = _default_names(inputs.shape[1]) if names is None else list(names)
        chosen = self._chosen_columns(all_names)
        with level_bar(self.progress) as on_level:
            self.fits_ = _core.fit(
                inputs[:, chosen] if len(chosen) < len(all_names) else inputs,
                outputs,
                [all_names[i] for i in chosen],
                output_names,
                self._given_settings(),
                self._declared_ranges(),
                on_level,
            )
        self.input_columns_ = np.array([all_names.index(name) for name in self.fits_[0].input_names])
        for sentence in dict.fromkeys(notice for fit in self.fits_ for notice in fit.notices):
            warnings.warn(sentence, DataNotice, stacklevel=2)
        warn_of(map(judgement_of, self.fits_), stacklevel=2)
        return self

    def _chosen_columns(self, names: list[str]) -> list[int]:
        return _places(_names_in(self.inputs) or names, names)

    def _chosen_outputs(self, y: Any, columns: np.ndarray) -> tuple[np.ndarray, list[str]]:
        """The columns to fit, and what they are called."""
        given, of_table = _names_in(self.output), _arrays.column_names(y)
        if of_table is not None:
            names = given or list(of_table)
            return columns[:, _places(names, list(of_table))], names
        if columns.shape[1] == 1:
            names = given or [str(getattr(y, "name", None) or "y")]
        else:
            names = given or [f"y{i}" for i in range(1, columns.shape[1] + 1)]
        if len(names) != columns.shape[1]:
            raise UsageError(f"--output: found {len(names)} name(s), expected one for each of {columns.shape[1]} column(s) of y")
        return columns, names

    def _given_settings(self) -> list[tuple[str, str]]:
        values = self.get_params()
        values["random_state"] = _seed(self.random_state)
        if isinstance(self.ranges, dict):
            values["ranges"] = None
        return _settings.given_settings(values)

    def _declared_ranges(self) -> list[tuple[str, float, float]]:
        if not isinstance(self.ranges, dict):
            return []
        return [(str(name), float(low), float(high)) for name, (low, high) in self.ranges.items()]

    def add_runs(self, X: Any, y: Any, random_state: Any = None) -> EmulatorRegressor:
        """A new emulator that has learnt from these runs too, for a fraction of a fit; this one stays as it is.

        In law it is a fit to all runs with this one's settings, scaling and prior. It is no `partial_fit`: that would change the
        emulator itself, and the first batch must be large enough to scale by. Without `random_state` the seed is that of the fit.
        Every output and every model of an average learns, and the average is weighed anew.

        >>> import numpy as np
        >>> x = np.linspace(0, 1, 8)[:, None]
        >>> em = EmulatorRegressor(samples=200, random_state=1).fit(x, np.sin(6 * x[:, 0]))
        >>> more = em.add_runs([[0.5]], [np.sin(3)])
        >>> bool(abs(more.predict([[0.5]])[0] - np.sin(3)) < 0.001)
        True
        """
        points = self._points(X)
        outputs = _arrays.outputs(y, self, len(points), len(self.fits_))
        seed = None if random_state is None else _seed(random_state)
        updated = copy.copy(self)
        with level_bar(self.progress) as on_level:
            updated.fits_, notices = _core.add_runs(self.fits_, points, outputs, seed, self.threads, on_level)
        for sentence in notices:
            warnings.warn(sentence, DataNotice, stacklevel=2)
        warn_of(map(judgement_of, updated.fits_), stacklevel=2)
        return updated

    # ---- predicting ----

    def _points(self, X: Any) -> np.ndarray:
        self._all_fits()
        _arrays.require_same_columns(X, self)
        points = _arrays.matrix(X, self)
        _arrays.require_same_width(points, self)
        return points[:, self.input_columns_] if len(self.input_columns_) < points.shape[1] else points

    def predict(
        self,
        X: Any,
        return_std: bool = False,
        return_cov: bool = False,
        quantiles: Optional[Sequence[float]] = None,
        latent: bool = False,
        map: bool = False,
    ) -> Any:
        """The mean at each row of X, and on request more: a tuple in the order of the arguments.

        Parameters
        ----------
        return_std : also standard deviations.
        return_cov : also the covariance between all rows.
        quantiles : probabilities between 0 and 1; also a column of quantiles for each.
        latent : predict the smooth function, without the nugget of a new run.
        map : predict with the posterior's maximum alone, as plug-in emulators do.

        With several outputs means and deviations have a column for each, quantiles have shape (rows, outputs, levels) and covariances
        (rows, rows, outputs).

        Rows are predicted in blocks: beyond X and the result it takes less than 200 MB, whatever the number of rows.

        >>> em = EmulatorRegressor(samples=100).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0])
        >>> mean, std, bands = em.predict([[0.5], [0.6]], return_std=True, quantiles=[0.05, 0.95])
        >>> bands.shape
        (2, 2)
        """
        points = self._points(X)
        levels = [] if quantiles is None else [float(level) for level in quantiles]
        if any(not 1e-9 <= level <= 1 - 1e-9 for level in levels):
            raise UsageError(f"--quantiles: found {levels}, expected probabilities between 0 and 1")
        predicted = [fit.predict(points, levels, latent, map, self.threads) for fit in self.fits_]
        _warn_of_outside(np.max([outside for *_, outside in predicted], axis=0))
        results = [_by_output([mean for mean, *_ in predicted])]
        if return_std:
            results.append(_by_output([std for _, std, *_ in predicted]))
        if return_cov:
            covariances = [fit.covariance(points, latent, map, self.threads) for fit in self.fits_]
            results.append(_by_output(covariances, axis=-1))
        if quantiles is not None:
            results.append(_by_output([bands for _, _, bands, _ in predicted]))
        return results[0] if len(results) == 1 else tuple(results)

    def outside(self, X: Any) -> np.ndarray:
        """How far each row of X lies beyond the inputs' ranges, in ranges; 0 inside, where the emulator does not extrapolate.

        >>> em = EmulatorRegressor(fast=True).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0])
        >>> [float(far) for far in em.outside([[0.5], [1.5]])]
        [0.0, 0.5]
        """
        points = self._points(X)
        return np.max([fit.predict(points, [], True, True, self.threads)[3] for fit in self.fits_], axis=0)

    def predict_csv(
        self,
        points: Union[str, os.PathLike[str]],
        path: Union[str, os.PathLike[str]],
        quantiles: Sequence[float] = (0.025, 0.5, 0.975),
        latent: bool = False,
        map: bool = False,
    ) -> None:
        """``ta2s2 predict``: from a CSV file with the input columns to another, of any length.

        >>> import os, tempfile
        >>> em = EmulatorRegressor(fast=True).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0])
        >>> folder = tempfile.mkdtemp()
        >>> with open(os.path.join(folder, "new.csv"), "w") as file:
        ...     _ = file.write("x1\\n0.5\\n")
        >>> em.predict_csv(os.path.join(folder, "new.csv"), os.path.join(folder, "predictions.csv"))
        """
        levels = [float(level) for level in quantiles]
        warning = _core.predict_csv(
            self._all_fits(), os.fspath(points), os.fspath(path), levels, latent, map, self.threads
        )
        if warning:
            warnings.warn(warning, ExtrapolationWarning, stacklevel=2)

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0, latent: bool = False) -> np.ndarray:
        """Joint draws of the output at all rows of X, one per column; of several outputs in shape (rows, outputs, draws), each drawn
        by itself.

        >>> em = EmulatorRegressor(samples=100).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0])
        >>> em.sample_y([[0.5], [0.6]], n_samples=3).shape
        (2, 3)
        """
        points, seed = self._points(X), _seed(random_state)
        return _by_output([fit.joint_draws(points, int(n_samples), seed, latent, self.threads) for fit in self.fits_])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The coefficient of determination of the predictive mean, as scikit-learn's regressors have it: with several outputs, the
        mean over them.

        >>> x, y = [[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0]
        >>> EmulatorRegressor(fast=True).fit(x, y).score(x, y) > 0.9
        True
        """
        means = self.predict(X)
        truths = _arrays.outputs(y, self, len(means), len(self.fits_))
        weights = np.ones(len(truths)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        columns = zip(truths.T, means.reshape(truths.shape).T)
        return float(np.mean([_results.determination(truth, mean, weights) for truth, mean in columns]))

    def score_report(self, X: Any, y: Any) -> Union[ScoreReport, dict[str, ScoreReport]]:
        """CRPS, coverage and other scores on runs that the fit has not seen, beside those of a plug-in of the maximum; by name, if
        there are several outputs.

        >>> em = EmulatorRegressor(samples=100).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0])
        >>> em.score_report([[0.5]], [0.6]).posterior.n
        1
        """
        points = self._points(X)
        truths = _arrays.outputs(y, self, len(points), len(self.fits_))
        reports = {
            fit.output_name: _results.report_of(fit, points, truths[:, k], self.threads) for k, fit in enumerate(self.fits_)
        }
        return reports if len(reports) > 1 else reports[self.fits_[0].output_name]

    def next_runs(
        self,
        count: int = 5,
        criterion: str = "imse",
        candidates: Any = None,
        draws: int = 100,
        random_state: Any = 1,
    ) -> NextRuns:
        """Where to run the simulator next: points chosen together, each given those before it.

        Parameters
        ----------
        count : number of points.
        criterion : "imse" (a good emulator everywhere), "loo-imse", "variance", "entropy", "ei-min", "ei-max" or
            "boundary(y0)", as for ``ta2s2 next-runs``.
        candidates : rows to choose among, as X; anywhere in the ranges of the fit if not given.
        draws : of the posterior, that the criterion is averaged over.

        >>> em = EmulatorRegressor(samples=100).fit([[0.0], [0.3], [0.7], [0.8], [1.0]], [0.0, 0.2, 0.9, 0.95, 1.0])
        >>> em.next_runs(2).points.shape
        (2, 1)
        """
        rows = None if candidates is None else self._points(candidates)
        return _results.next_runs_of(self._fitted(), count, criterion, rows, draws, _seed(random_state), self.threads)

    def sensitivity(
        self, distributions: Optional[dict[str, str]] = None, paths: int = 400, points: int = 64, random_state: Any = 1
    ) -> Sensitivity:
        """Which inputs matter: Sobol indices and main effects, as ``ta2s2 sensitivity`` gives them.

        Parameters
        ----------
        distributions : how inputs vary, by name, such as ``{"x1": "normal(10,2)"}``; if not given, uniform over the
            fit's ranges, or log-uniform for an input with a log scale.
        paths : functions drawn from the posterior.
        points : at which interactions of each are integrated.

        >>> X = [[0.0, 0.5], [0.3, 0.1], [0.7, 0.9], [1.0, 0.3], [0.5, 0.0], [0.2, 1.0]]
        >>> em = EmulatorRegressor(samples=100).fit(X, [0.0, 0.3, 0.7, 1.0, 0.5, 0.2])
        >>> found = em.sensitivity(paths=100)
        >>> found.total.shape
        (100, 2)
        >>> bool(found.to_dict()["first_q0.5"][0] > 0.9)
        True
        """
        seed = _seed(random_state)
        return _results.sensitivity_of(self._fitted(), distributions, int(paths), int(points), seed, self.threads)

    def report(
        self, path: Union[str, os.PathLike[str], None] = None, X: Any = None, y: Any = None
    ) -> Optional[Report]:
        """The report of ``ta2s2 report``: one HTML file, written to `path`, with a tab for each of several outputs. Without a path, a
        page that a notebook shows inline.

        Parameters
        ----------
        X, y : runs that the fit has not seen, for validation.

        >>> import os, tempfile
        >>> em = EmulatorRegressor(samples=100).fit([[0.0], [0.3], [0.7], [0.8], [1.0]], [0.0, 0.2, 0.9, 0.95, 1.0])
        >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
        >>> em.report(path, X=[[0.5], [0.6]], y=[0.6, 0.75])
        """
        report = Report(self._report_page(X, y))
        if path is None:
            return report
        report.save(path)
        return None

    def _report_page(self, X: Any, y: Any) -> str:
        if (X is None) != (y is None):
            raise UsageError("found one of X and y for the report's validation, expected both or neither")
        fits = self._all_fits()
        points = np.empty((0, 0)) if X is None else self._points(X)
        truths = np.empty((0, 0)) if X is None else _arrays.outputs(y, self, len(points), len(fits))
        return _core.report_page(fits, points, truths, self.threads)

    def _repr_html_(self) -> str:
        return summary_html(self) if hasattr(self, "fits_") else f"<pre>{html.escape(repr(self))}</pre>"

    # ---- what was learnt ----

    @property
    def fit_(self) -> Any:
        """The record of the only output."""
        if not hasattr(self, "fits_"):
            raise AttributeError(str(_arrays.not_fitted(self)))
        if len(self.fits_) > 1:
            names = [fit.output_name for fit in self.fits_]
            raise UsageError(
                f"found {len(names)} outputs, expected one: take it as outputs_[{names[0]!r}]; there are {', '.join(names)}"
            )
        return self.fits_[0]

    @property
    def outputs_(self) -> dict[str, EmulatorRegressor]:
        """An emulator for each output, by name.

        >>> x, y = [[0.0], [0.3], [0.5], [0.7], [1.0]], [[0.0, 3], [0.2, 2], [0.6, 1], [0.9, 2], [1.0, 5]]
        >>> em = EmulatorRegressor(output="drag,lift", model="single", samples=100).fit(x, y)
        >>> em.outputs_["lift"].posterior_.names
        ['log_phi_x1', 'length_scale_x1', 'nugget']
        """
        if not hasattr(self, "fits_"):
            raise AttributeError(str(_arrays.not_fitted(self)))
        emulators = {}
        for fit in self.fits_:
            emulators[fit.output_name] = one = copy.copy(self)
            one.fits_ = [fit]
            one.output = fit.output_name
        return emulators

    @property
    def judgement_(self) -> Judgement:
        """Whether this emulator may be used (docs/after_the_fit.md): of the only output, or of one of ``outputs_``."""
        return judgement_of(self._fitted())

    @property
    def posterior_(self) -> Posterior:
        """Draws, weights, evidence, modes and levels of the fit; of an average, those of the model with the largest weight."""
        return posterior_of(self.fit_)

    @property
    def posteriors_(self) -> dict[str, Posterior]:
        """Those of every model, by name.

        >>> em = EmulatorRegressor(model="average", samples=100).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0])
        >>> list(em.posteriors_)
        ['matern52*box-cox', 'rational-quadratic*box-cox', 'matern52']
        """
        fit = self.fit_
        return {name: posterior_of(fit.model(name)) for name in model_weights(fit)}

    @property
    def activity_(self) -> dict[str, Any]:
        """Which inputs act: of each, by name, the posterior probability that it acts (`probability`), and that it acts and hardly
        otherwise than linearly (`linear`). Of several outputs, such a dict for each.

        >>> x = [[0.0], [0.3], [0.5], [0.7], [1.0]]
        >>> EmulatorRegressor(fast=True).fit(x, [0.0, 0.2, 0.6, 0.9, 1.0]).activity_["x1"]["probability"]
        1.0
        """
        if not hasattr(self, "fits_"):
            raise AttributeError(str(_arrays.not_fitted(self)))
        activity = {fit.output_name: activity_of(fit) for fit in self.fits_}
        return activity if len(activity) > 1 else activity[self.fits_[0].output_name]

    @property
    def model_weights_(self) -> dict[str, Any]:
        """What each model weighs, by name: one, or those that ``model="average"`` averages over. Of several outputs, such a dict for
        each.

        >>> em = EmulatorRegressor(model="single", samples=100).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0])
        >>> em.model_weights_
        {'matern52': 1.0}
        """
        if not hasattr(self, "fits_"):
            raise AttributeError(str(_arrays.not_fitted(self)))
        weights = {fit.output_name: model_weights(fit) for fit in self.fits_}
        return weights if len(weights) > 1 else weights[self.fits_[0].output_name]

    def to_arviz(self, model: Optional[str] = None) -> Any:
        """The posterior as ArviZ has it: an InferenceData, or a DataTree from ArviZ 1.0 on.

        ArviZ knows no weights: draws are repeated in proportion to theirs.

        Parameters
        ----------
        model : which one of an average, by its name in `model_weights_`; that with the largest weight if not given. Models do not
            mix: a length-scale means something else with another correlation.

        >>> em = EmulatorRegressor(samples=100).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0])
        >>> em.to_arviz().posterior["nugget"].dims
        ('chain', 'draw')
        """
        fit = self._fitted() if model is None else self._fitted().model(model)
        return _results.to_arviz(fit.inference_data(), model=fit.model_name)

    def _all_fits(self) -> list[Any]:
        if not hasattr(self, "fits_"):
            raise _arrays.not_fitted(self)
        return self.fits_

    def _fitted(self) -> Any:
        self._all_fits()
        return self.fit_

    # ---- files ----

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the model file that the command line reads, with all outputs.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "model.json")
        >>> EmulatorRegressor(fast=True).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0]).save(path)
        """
        _core.save(self._all_fits(), os.fspath(path))

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]], output: str = "") -> EmulatorRegressor:
        """The emulator of a model file, whoever wrote it; its settings are those of the fit.

        Parameters
        ----------
        output : one of a model file that holds several; all if not given.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "model.json")
        >>> EmulatorRegressor(fast=True).fit([[0.0], [0.3], [0.5], [0.7], [1.0]], [0.0, 0.2, 0.6, 0.9, 1.0]).save(path)
        >>> EmulatorRegressor.load(path).fast
        True
        """
        fits = _core.load(os.fspath(path), output)
        names = fits[0].input_names
        if any(fit.input_names != names for fit in fits):
            raise UsageError(f"{os.fspath(path)}: found outputs of different inputs, expected one: choose it by `output`")
        em = cls(**{_settings.python_name(name): _settings.from_text(text) for name, text in fits[0].settings.items()})
        if len(fits) > 1:
            em.output = [fit.output_name for fit in fits]
        em.fits_ = fits
        em.n_features_in_ = len(names)
        em.input_columns_ = np.arange(em.n_features_in_)
        if names != _default_names(em.n_features_in_):
            em.feature_names_in_ = np.asarray(names, dtype=object)
        return em

    # ---- scikit-learn ----

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import RegressorTags, Tags, TargetTags

        return Tags(
            estimator_type="regressor",
            target_tags=TargetTags(required=True, multi_output=True),
            regressor_tags=RegressorTags(),
        )

    # ---- pictures ----

    def plot_posterior(self, **options: Any) -> Any:
        """Histograms of the length-scales and the nugget, and their pairs."""
        return _plots.plot_posterior(self, **options)

    def plot_predictions(self, **options: Any) -> Any:
        """The prediction along each input, the others held at the middle of their range."""
        return _plots.plot_predictions(self, **options)

    def plot_validation(self, X: Any, y: Any, **options: Any) -> Any:
        """Predictions against truths, and whether the intervals hold what they promise."""
        return _plots.plot_validation(self, X, y, **options)

    def plot_levels(self, **options: Any) -> Any:
        """Temperatures, acceptance and effective sample sizes over the levels."""
        return _plots.plot_levels(self, **options)
