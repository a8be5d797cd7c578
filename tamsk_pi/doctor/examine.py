"""The whole examination, in the order in which one thing rests on another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tamsk_pi.config.load import (
    BRIDGE,
    Configuration,
    build_of,
    default_files,
    fit_to_board,
    fit_to_bridge,
    load_settings,
)
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.config.profile import BoardProfile, load_profile
from tamsk_pi.config.settings import Settings
from tamsk_pi.doctor.bridge import check_bridge
from tamsk_pi.doctor.cap_radio import check_cap_radio
from tamsk_pi.doctor.caps import check_caps
from tamsk_pi.doctor.finding import AS_TOLD, Finding, note, ok, stops
from tamsk_pi.doctor.host import check_clock, check_disk, check_model, check_versions
from tamsk_pi.doctor.machine import Machine
from tamsk_pi.doctor.pins import check_groups, check_header
from tamsk_pi.doctor.ports import check_serial
from tamsk_pi.signals.language import N_


def examine(
    machine: Machine, overrides: Mapping[str, object] | None = None, files: Sequence[Path] | None = None
) -> Iterator[Finding]:
    """Look at everything, whatever is found; `overrides` and `files` as `load_settings` takes them."""
    yield from check_versions(machine)
    read = default_files(machine.environment) if files is None else tuple(files)
    try:
        configuration = load_settings(overrides, files=read)
    except ConfigError as error:
        yield from _config_findings(error)
        configuration = Configuration(Settings(), {})
    settings = configuration.settings
    profile: BoardProfile | None = None
    fitted: Settings | None = None
    try:
        if settings.board == BRIDGE:
            fitted = fit_to_bridge(configuration)
        else:
            profile = load_profile(settings.board)
            if configuration.origins:
                fit_to_board(configuration, profile)
        yield _config_is_right(read, profile)
    except ConfigError as error:
        yield from _config_findings(error)
    on_header = profile is not None and profile.kind == "matrix"
    needs_pins = on_header and settings.gpio.pin_factory != "mock"
    yield from check_model(machine, needs_pins=needs_pins)
    yield from check_groups(machine, ("gpio", "spi") if on_header else ("dialout",))
    if profile is not None and needs_pins:
        yield from check_header(machine, profile, settings.gpio.pin_factory)
    yield from check_serial(machine, settings.bridge.port, needs_bridge=settings.board == BRIDGE)
    if fitted is not None:
        of_bridge = list(check_bridge(machine, fitted, build_of(fitted)))
        yield from of_bridge
        if settings.caps == "bridge" and of_bridge and all(finding.weight == "ok" for finding in of_bridge):
            yield from check_caps(machine.hear_caps(settings.bridge.port, settings.bridge.baud))
    if profile is not None and settings.caps == "pi":
        yield from check_cap_radio(machine, settings)
    yield from check_disk(machine, settings)
    yield from check_clock(machine)
    if settings.level > 1 and not settings.calibrated_on:
        yield note(
            "glasses",
            N_("level {level} is set, and the glasses have never been measured"),
            N_("tamsk-pi calibrate glasses times them and sets glass_ms; until then set tolerance_ms generously"),
            level=settings.level,
        )


def _config_is_right(read: Sequence[Path], profile: BoardProfile | None) -> Finding:
    files = ", ".join(map(str, read))
    if profile is None:
        return ok("config", N_("{files}; the bridge") if read else N_("no files: defaults; the bridge"), files=files)
    told = N_("{files}; board profile {profile}") if read else N_("no files: defaults; board profile {profile}")
    return ok("config", told, files=files, profile=profile.name)


def _config_findings(error: ConfigError) -> Iterator[Finding]:
    for problem in error.problems:
        yield stops("config", AS_TOLD, N_("mend it, then run tamsk-pi config check"), told=str(problem))
