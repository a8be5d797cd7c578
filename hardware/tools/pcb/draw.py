"""Draw a printed board with KiCad: `draw.py JOB.json BOARD.kicad_pcb`.

Run by the Python that has `pcbnew` (Debian's own).

Needs KiCad 9. The same job gives the same bytes.
"""

from __future__ import annotations

import importlib.util
import json
import math
import sys
from pathlib import Path
from typing import Any

FOOTPRINTS = Path("/usr/share/kicad/footprints")


def _maze() -> Any:
    """The router beside this file; this Python knows nothing of the package that both are in."""
    spec = importlib.util.spec_from_file_location("maze", Path(__file__).with_name("maze.py"))
    if spec is None or spec.loader is None:
        raise ImportError("maze.py is missing beside draw.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["maze"] = module
    spec.loader.exec_module(module)
    return module


def draw(job: dict[str, Any], path: str) -> None:
    """Place, route, fill and save a board, with the rules for its check beside it (`.kicad_pro`)."""
    import pcbnew

    # Without a seed every run names its items differently.
    pcbnew.KIID.SeedGenerator(1)
    board = pcbnew.NewBoard(path)
    _rules(pcbnew, board)
    nets = _nets(pcbnew, board, job)
    for part in job["parts"]:
        _part(pcbnew, board, part, nets)
    (_circle if job["round"] else _edge)(pcbnew, board, *job["size"])
    for number, hole in enumerate(job["holes"], 1):
        _hole(pcbnew, board, number, hole)
    for words in job["words"]:
        _words(pcbnew, board, words["x"], words["y"], words["text"], words["height"])
    _route(pcbnew, board, job)
    # A matrix strip has rows and columns only, and no ground.
    for layer in (pcbnew.F_Cu, pcbnew.B_Cu) if job["ground"] in nets else ():
        _zone(pcbnew, board, layer, nets[job["ground"]], job)
    for box in job["bare"]:
        _bare(pcbnew, board, *box)
    pcbnew.SaveBoard(path, board)
    # Only a board that was loaded has its rules: filled before, the zones would run over the holes.
    board = pcbnew.LoadBoard(path)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(path, board)


def _at(pcbnew: Any, x: float, y: float) -> Any:
    return pcbnew.VECTOR2I_MM(x, y)


def _rules(pcbnew: Any, board: Any) -> None:
    settings = board.GetDesignSettings()
    default = settings.m_NetSettings.GetDefaultNetclass()
    default.SetClearance(pcbnew.FromMM(0.2))
    default.SetTrackWidth(pcbnew.FromMM(0.25))
    default.SetViaDiameter(pcbnew.FromMM(0.6))
    default.SetViaDrill(pcbnew.FromMM(0.3))
    # Ground has tracks of its own beside the zones, so one spoke to a zone is enough.
    settings.m_MinResolvedSpokes = 1


def _nets(pcbnew: Any, board: Any, job: dict[str, Any]) -> dict[str, Any]:
    nets: dict[str, Any] = {}
    for part in job["parts"]:
        for name in part["nets"].values():
            if name not in nets:
                nets[name] = pcbnew.NETINFO_ITEM(board, name)
                board.Add(nets[name])
    return nets


def _footprint(pcbnew: Any, name: str) -> Any:
    library, item = name.split(":")
    footprint = pcbnew.FootprintLoad(str(FOOTPRINTS / f"{library}.pretty"), item)
    if footprint is None:
        raise SystemExit(f"KiCad's libraries have no footprint {name}")
    footprint.SetFPID(pcbnew.LIB_ID(library, item))
    return footprint


def _part(pcbnew: Any, board: Any, part: dict[str, Any], nets: dict[str, Any]) -> None:
    footprint = _footprint(pcbnew, part["footprint"])
    footprint.SetReference(part["ref"])
    footprint.SetValue(part["value"])
    board.Add(footprint)
    at = _at(pcbnew, part["x"], part["y"])
    footprint.SetPosition(at)
    if part["side"] == "underside":
        footprint.Flip(at, pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
    footprint.SetOrientationDegrees(part["turn_deg"])
    footprint.Value().SetVisible(False)
    reference = footprint.Reference()
    reference.SetTextSize(pcbnew.VECTOR2I_MM(0.9, 0.9))
    reference.SetTextThickness(pcbnew.FromMM(0.15))
    reference.SetVisible(part["named"])
    if part["label"] is not None:
        reference.SetPosition(_at(pcbnew, part["x"] + part["label"][0], part["y"] + part["label"][1]))
        reference.SetTextAngleDegrees(0)
        reference.SetKeepUpright(True)
    left = dict(part["nets"])
    for pad in footprint.Pads():
        name = part["nets"].get(pad.GetNumber())
        if name is not None:
            pad.SetNet(nets[name])
            left.pop(pad.GetNumber(), None)
    if left:
        raise SystemExit(f"{part['ref']}: {part['footprint']} has no pad {', '.join(left)}")


def _edge(pcbnew: Any, board: Any, width: float, height: float) -> None:
    corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        line = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_SEGMENT)
        line.SetStart(_at(pcbnew, *start))
        line.SetEnd(_at(pcbnew, *end))
        line.SetLayer(pcbnew.Edge_Cuts)
        line.SetWidth(pcbnew.FromMM(0.1))
        board.Add(line)


def _circle(pcbnew: Any, board: Any, width: float, height: float) -> None:
    circle = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_CIRCLE)
    circle.SetCenter(_at(pcbnew, width / 2, height / 2))
    circle.SetEnd(_at(pcbnew, width, height / 2))
    circle.SetLayer(pcbnew.Edge_Cuts)
    circle.SetWidth(pcbnew.FromMM(0.1))
    board.Add(circle)


def _bare(pcbnew: Any, board: Any, left: float, top: float, right: float, bottom: float) -> None:
    """A rule area that keeps all copper out."""
    area = pcbnew.ZONE(board)
    area.SetIsRuleArea(True)
    layers = pcbnew.LSET()
    for layer in (pcbnew.F_Cu, pcbnew.B_Cu):
        layers.AddLayer(layer)
    area.SetLayerSet(layers)
    area.SetDoNotAllowTracks(True)
    area.SetDoNotAllowVias(True)
    area.SetDoNotAllowPads(True)
    area.SetDoNotAllowCopperPour(True)
    area.SetDoNotAllowFootprints(False)
    outline = area.Outline()
    outline.NewOutline()
    for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
        outline.Append(_at(pcbnew, x, y))
    board.Add(area)


def _hole(pcbnew: Any, board: Any, number: int, hole: dict[str, float]) -> None:
    """A hole without copper of any diameter, as a footprint of one unplated pad."""
    footprint = pcbnew.FOOTPRINT(board)
    footprint.SetReference(f"H{number}")
    footprint.Reference().SetVisible(False)
    footprint.Value().SetVisible(False)
    footprint.SetAttributes(pcbnew.FP_EXCLUDE_FROM_POS_FILES | pcbnew.FP_EXCLUDE_FROM_BOM | pcbnew.FP_BOARD_ONLY)
    pad = pcbnew.PAD(footprint)
    size = pcbnew.VECTOR2I_MM(hole["diameter"], hole["diameter"])
    pad.SetAttribute(pcbnew.PAD_ATTRIB_NPTH)
    pad.SetShape(pcbnew.PAD_SHAPE_CIRCLE)
    pad.SetSize(size)
    pad.SetDrillSize(size)
    pad.SetLayerSet(pad.UnplatedHoleMask())
    footprint.Add(pad)
    footprint.SetPosition(_at(pcbnew, hole["x"], hole["y"]))
    board.Add(footprint)


def _words(pcbnew: Any, board: Any, x: float, y: float, text: str, height: float) -> None:
    item = pcbnew.PCB_TEXT(board)
    item.SetText(text)
    item.SetLayer(pcbnew.F_SilkS)
    item.SetTextSize(pcbnew.VECTOR2I_MM(height, height))
    item.SetTextThickness(pcbnew.FromMM(max(0.12, height * 0.14)))
    item.SetHorizJustify(pcbnew.GR_TEXT_H_ALIGN_LEFT)
    item.SetPosition(_at(pcbnew, x, y))
    board.Add(item)


def _route(pcbnew: Any, board: Any, job: dict[str, Any]) -> None:
    maze = _maze()
    width, height = job["size"]
    pads = []
    for footprint in board.GetFootprints():
        for pad in footprint.Pads():
            at, size = pad.GetPosition(), pad.GetBoundingBox()
            drill = pad.GetDrillSize()
            flat = pad.GetAttribute() == pcbnew.PAD_ATTRIB_SMD
            pads.append(
                maze.Pad(
                    at.x / 1e6,
                    at.y / 1e6,
                    size.GetWidth() / 1e6,
                    size.GetHeight() / 1e6,
                    pad.GetShape() == pcbnew.PAD_SHAPE_CIRCLE,
                    pad.GetNetCode(),
                    max(drill.x, drill.y) / 1e6,
                    f"{footprint.GetReference()}.{pad.GetNumber()}",
                    (1 if pad.IsOnLayer(pcbnew.B_Cu) else 0) if flat else None,
                )
            )
    ref, number = job["origin"]
    origin = board.FindFootprintByReference(ref).FindPadByNumber(number).GetPosition()
    start = (origin.x / 1e6, origin.y / 1e6)
    bare = tuple(tuple(box) for box in job["bare"])
    router = maze.Router(0.0, 0.0, width, height, pads, start, is_round=job["round"], bare=bare, **job["grid"])
    tracks, vias = router.route()
    for track in tracks:
        item = pcbnew.PCB_TRACK(board)
        item.SetStart(_at(pcbnew, *track.start))
        item.SetEnd(_at(pcbnew, *track.end))
        item.SetLayer(pcbnew.B_Cu if track.layer else pcbnew.F_Cu)
        item.SetWidth(pcbnew.FromMM(router.track))
        item.SetNetCode(track.net)
        board.Add(item)
    for via in vias:
        item = pcbnew.PCB_VIA(board)
        item.SetPosition(_at(pcbnew, *via.at))
        item.SetDrill(pcbnew.FromMM(maze.VIA_DRILL))
        item.SetWidth(pcbnew.FromMM(maze.VIA))
        item.SetNetCode(via.net)
        board.Add(item)


def _zone(pcbnew: Any, board: Any, layer: int, net: Any, job: dict[str, Any]) -> None:
    width, height = job["size"]
    corners = [(0.5, 0.5), (width - 0.5, 0.5), (width - 0.5, height - 0.5), (0.5, height - 0.5)]
    if job["round"]:
        turns = [2 * math.pi * n / 72 for n in range(72)]
        corners = [
            (width / 2 + (width / 2 - 0.5) * math.cos(a), height / 2 + (width / 2 - 0.5) * math.sin(a)) for a in turns
        ]
    zone = pcbnew.ZONE(board)
    zone.SetLayer(layer)
    zone.SetNet(net)
    outline = zone.Outline()
    outline.NewOutline()
    for x, y in corners:
        outline.Append(_at(pcbnew, x, y))
    zone.SetLocalClearance(pcbnew.FromMM(0.3))
    zone.SetMinThickness(pcbnew.FromMM(0.25))
    zone.SetThermalReliefGap(pcbnew.FromMM(0.3))
    zone.SetThermalReliefSpokeWidth(pcbnew.FromMM(0.5))
    board.Add(zone)


if __name__ == "__main__":
    draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.argv[2])
