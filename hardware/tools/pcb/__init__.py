"""Printed boards: what goes where (`design`), the tracks (`maze`), the drawing by KiCad (`draw`), the `check`."""
