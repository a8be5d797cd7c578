"""The guest's own tests run inside the guest, not here."""

collect_ignore = ["guest"]
