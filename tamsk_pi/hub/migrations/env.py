"""How Alembic runs the scripts: on the connection that it is handed, in one transaction."""

from __future__ import annotations

from alembic import context

from tamsk_pi.hub.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
