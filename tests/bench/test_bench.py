"""The benchmarks can be found and run; how fast they are is not judged here."""

from __future__ import annotations

import pytest

from tests.bench import bench_perft
from tests.bench.__main__ import main, names, runner


def test_every_module_of_the_folder_takes_part() -> None:
    assert "perft" in names()
    for name in names():
        assert callable(runner(name))


def test_an_unknown_benchmark_is_one_line_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["nothing"])
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("tests.bench: no such benchmark: 'nothing' (there are: ")


def test_perft_prints_its_figures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_perft, "DEPTH", 4)
    monkeypatch.setattr(bench_perft, "NODES", 8_994)
    main(["perft"])
    figures = capsys.readouterr().out.splitlines()[-2:]
    assert all(line.endswith(" M nodes/s") for line in figures)


def test_a_wrong_count_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_perft, "DEPTH", 4)
    with pytest.raises(AssertionError, match="perft 4 counted 8994, not 12688323"):
        bench_perft.run()
