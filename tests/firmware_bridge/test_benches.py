"""The benches themselves: that they repeat exactly, and say what is wrong with them."""

from __future__ import annotations

import pytest

from firmware_bridge.bench import BenchError
from firmware_bridge.inputs import Build
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.simavr.bench import SimavrBench
from tests.firmware_bridge.rig import make_bench


@pytest.mark.firmware
def test_the_same_run_gives_the_same_bytes() -> None:
    def once() -> list[tuple[int, bytes]]:
        with make_bench("simavr", Build()) as bench:
            for n in range(40):
                bench.set(("socket", "D1"), n % 2 == 0, 50_000 + 7_321 * n)
            hello = bench.run_to(40_000)
            bench.write(bytes.fromhex("0006420507433000"))  # START
            return [(sent.t_us, sent.data) for sent in (*hello, *bench.run_to(1_000_000))]

    first = once()
    assert sum(len(data) for _, data in first) > 300
    assert once() == first


@pytest.mark.firmware
def test_a_harness_that_dies_is_one_line() -> None:
    bench = make_bench("simavr", Build())
    assert isinstance(bench, SimavrBench)
    bench._arguments[1] = "/nowhere.elf"
    with pytest.raises(BenchError, match=r"^the bench ended with status 2: /nowhere.elf: not a firmware$"), bench:
        pass


def test_a_value_an_input_cannot_have_is_refused(kind: str) -> None:
    with make_bench(kind, Build("reed", "stack")) as bench:
        with pytest.raises(ValueError, match="socket D1 of a reed-stack build cannot be 'N'"):
            bench.set(("socket", "D1"), "N")
        with pytest.raises(ValueError, match="holder red of a reed-stack build cannot be 3"):
            bench.set(("holder", "red"), 3)
        with pytest.raises(KeyError):
            bench.set(("socket", "Z9"), True)


def test_a_stepped_model_has_no_port() -> None:
    with ModelBench(Build()) as bench, pytest.raises(BenchError, match="a stepped bench has no port"):
        _ = bench.port
