"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "arbiters",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=True),
        sa.Column("code_until_ms", sa.BigInteger(), nullable=True),
        sa.Column("token_hash", sa.String(length=64), nullable=True),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_arbiters")),
        sa.UniqueConstraint("name", name=op.f("uq_arbiters_name")),
    )
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("system", sa.String(length=16), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("name", name=op.f("uq_events_name")),
    )
    op.create_table(
        "alarms",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=210), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("first_ms", sa.BigInteger(), nullable=False),
        sa.Column("seen_by", sa.String(length=60), nullable=True),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_alarms_event_events")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alarms")),
        sa.UniqueConstraint("event", "board", "game", "kind", name=op.f("uq_alarms_event_board_game_kind")),
    )
    op.create_table(
        "boards",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("heard", sa.Boolean(), nullable=False),
        sa.Column("instance", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=210), nullable=False),
        sa.Column("skew_ms", sa.BigInteger(), nullable=False),
        sa.Column("told_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_boards_event_events")),
        sa.PrimaryKeyConstraint("event", "board", name=op.f("pk_boards")),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=210), nullable=False),
        sa.Column("red", sa.String(length=60), nullable=False),
        sa.Column("black", sa.String(length=60), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.String(length=40), nullable=False),
        sa.Column("lines_count", sa.Integer(), nullable=False),
        sa.Column("lines_bytes", sa.Integer(), nullable=False),
        sa.Column("lines_chain", sa.String(length=64), nullable=False),
        sa.Column("rulings_count", sa.Integer(), nullable=False),
        sa.Column("rulings_bytes", sa.Integer(), nullable=False),
        sa.Column("rulings_chain", sa.String(length=64), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("over_ms", sa.BigInteger(), nullable=True),
        sa.Column("result", sa.String(length=16), nullable=True),
        sa.Column("reason", sa.String(length=32), nullable=True),
        sa.Column("length_ms", sa.BigInteger(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("first_ms", sa.BigInteger(), nullable=False),
        sa.Column("last_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_games_event_events")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("event", "board", "name", name=op.f("uq_games_event_board_name")),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_games_event_last_ms"), ["event", "last_ms"], unique=False)

    op.create_table(
        "players",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("club", sa.String(length=60), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("withdrawn_from", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_players_event_events")),
        sa.PrimaryKeyConstraint("event", "number", name=op.f("pk_players")),
        sa.UniqueConstraint("event", "name", name=op.f("uq_players_event_name")),
    )
    op.create_table(
        "words",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=210), nullable=False),
        sa.Column("arbiter", sa.String(length=60), nullable=False),
        sa.Column("verb", sa.String(length=16), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("said_ms", sa.BigInteger(), nullable=False),
        sa.Column("answered_ms", sa.BigInteger(), nullable=True),
        sa.Column("ok", sa.Boolean(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_words_event_events")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_words")),
    )
    op.create_table(
        "lines",
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("taken_ms", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_lines_game_games")),
        sa.PrimaryKeyConstraint("game", "kind", "first", name=op.f("pk_lines")),
    )
    op.create_table(
        "pairings",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("red", sa.Integer(), nullable=False),
        sa.Column("black", sa.Integer(), nullable=True),
        sa.Column("result", sa.String(length=16), nullable=True),
        sa.Column("reason", sa.String(length=32), nullable=True),
        sa.Column("by", sa.String(length=60), nullable=True),
        sa.Column("paired_ms", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_pairings_event_events")),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=op.f("fk_pairings_game_games")),
        sa.PrimaryKeyConstraint("event", "round", "board", name=op.f("pk_pairings")),
    )


def downgrade() -> None:
    op.drop_table("pairings")
    op.drop_table("lines")
    op.drop_table("words")
    op.drop_table("players")
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_games_event_last_ms"))

    op.drop_table("games")
    op.drop_table("boards")
    op.drop_table("alarms")
    op.drop_table("events")
    op.drop_table("arbiters")
