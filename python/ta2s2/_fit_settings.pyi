# Written by tools/make_python_stub.py from the option table.
import os
from typing import Any, Literal, Optional, Sequence, Union

Text = Union[str, float, dict[str, Any], Sequence[str], os.PathLike[str], None]

PYTHON_DEFAULTS: dict[str, Any]

class FitSettings:
    output: Text
    inputs: Text
    ranges: Text
    input_scale: Text
    prior: Text
    nugget: Text
    trend: Text
    trend_prior: Text
    correlation: Text
    output_transform: Text
    model: Text
    average_over: Text
    weighting: Text
    recalibration: Text
    exponent: Text
    box: Optional[tuple[float, float]]
    nugget_box: Optional[tuple[float, float]]
    samples: Union[int, Literal["auto"], None]
    max_evaluations: Union[int, Literal["none"], None]
    sampler: Text
    move: Text
    growth: Text
    chain_length: Optional[int]
    groups: Optional[int]
    coordinates: Text
    start: Text
    ess_target: Optional[float]
    draws_from: Text
    anneal_to: Optional[int]
    fast: Optional[bool]
    check: Optional[bool]
    published_reading: Text
    published_pull: Text
    published_renewal: Optional[float]
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
        input_scale: Text = None,
        prior: Text = None,
        nugget: Text = None,
        trend: Text = None,
        trend_prior: Text = None,
        correlation: Text = None,
        output_transform: Text = None,
        model: Text = None,
        average_over: Text = None,
        weighting: Text = None,
        recalibration: Text = None,
        exponent: Text = None,
        box: Optional[tuple[float, float]] = None,
        nugget_box: Optional[tuple[float, float]] = None,
        samples: Union[int, Literal["auto"], None] = None,
        max_evaluations: Union[int, Literal["none"], None] = None,
        sampler: Text = None,
        move: Text = None,
        growth: Text = None,
        chain_length: Optional[int] = None,
        groups: Optional[int] = None,
        coordinates: Text = None,
        start: Text = None,
        ess_target: Optional[float] = None,
        draws_from: Text = None,
        anneal_to: Optional[int] = None,
        fast: Optional[bool] = None,
        check: Optional[bool] = None,
        published_reading: Text = None,
        published_pull: Text = None,
        published_renewal: Optional[float] = None,
        random_state: Any = 1,
        simd: Text = None,
        threads: int = 0,
        checkpoint: Text = None,
        checkpoint_every: Text = None,
        time_limit: Text = None,
        progress: bool = False,
    ) -> None: ...
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **settings: Any) -> Any: ...
