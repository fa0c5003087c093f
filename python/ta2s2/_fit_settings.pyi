# Written by tools/make_python_stub.py from the option table.
import os
from typing import Any, Sequence, Union

Text = Union[str, float, dict[str, Any], Sequence[str], os.PathLike[str], None]

PYTHON_DEFAULTS: dict[str, Any]

class FitSettings:
    output: Text
    inputs: Text
    ranges: Text
    prior: Text
    nugget: Text
    trend: Text
    trend_prior: Text
    correlation: Text
    model: Text
    average_over: Text
    weighting: Text
    exponent: Text
    box: tuple[float, float]
    nugget_box: tuple[float, float]
    samples: int
    sampler: Text
    kernel: Text
    growth: Text
    chain_length: int
    groups: int
    coordinates: Text
    path: Text
    ess_target: float
    draws_from: Text
    anneal_to: int
    map_only: bool
    check: bool
    published_reading: Text
    published_pull: Text
    published_renewal: float
    random_state: Any
    simd: Text
    threads: int
    checkpoint: Text
    checkpoint_every: Text
    time_limit: Text
    progress: bool
    def __init__(
        self,
        *,
        output: Text = None,
        inputs: Text = None,
        ranges: Text = None,
        prior: Text = 'jointly-robust',
        nugget: Text = 'log-uniform',
        trend: Text = 'constant',
        trend_prior: Text = 'flat',
        correlation: Text = 'auto',
        model: Text = 'auto',
        average_over: Text = 'squared-exponential,matern52',
        weighting: Text = 'evidence',
        exponent: Text = 'model',
        box: tuple[float, float] = (-7, 7),
        nugget_box: tuple[float, float] = (-35, 10),
        samples: int = 2000,
        sampler: Text = 'ta2s2',
        kernel: Text = 'exact',
        growth: Text = 'equal',
        chain_length: int = 0,
        groups: int = 4,
        coordinates: Text = 'unbounded',
        path: Text = 'posterior',
        ess_target: float = 0.5,
        draws_from: Text = 'auto',
        anneal_to: int = 1,
        map_only: bool = False,
        check: bool = False,
        published_reading: Text = 'text',
        published_pull: Text = 'linear',
        published_renewal: float = 0.1,
        random_state: Any = 1,
        simd: Text = 'auto',
        threads: int = 0,
        checkpoint: Text = None,
        checkpoint_every: Text = '60s',
        time_limit: Text = 'none',
        progress: bool = False,
    ) -> None: ...
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **settings: Any) -> Any: ...
