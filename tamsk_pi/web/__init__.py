"""The page and its websocket."""
