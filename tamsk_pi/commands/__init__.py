"""One module per `tamsk-pi` command."""
