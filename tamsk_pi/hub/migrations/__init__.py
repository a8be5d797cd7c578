"""Alembic's scripts, one a revision; `tamsk_pi.hub.database.open_database` runs them."""
