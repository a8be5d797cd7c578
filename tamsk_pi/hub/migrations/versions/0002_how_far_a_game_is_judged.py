"""How far each game is judged, so that a hub takes up what another, or itself before a kill, had only kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("games", schema=None) as batch_op:
        for name in ("judged_lines", "judged_rulings"):
            batch_op.add_column(sa.Column(name, sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("games", schema=None) as batch_op:
        for name in ("judged_rulings", "judged_lines"):
            batch_op.drop_column(name)
