"""Inside the guest: the program with the matrix's wires laid into its lgpio."""

from __future__ import annotations

import lgpio

from tamsk_pi.cli import main
from tests.pi.guest.header import lay_wires

if __name__ == "__main__":
    lay_wires(vars(lgpio))
    main(prog_name="tamsk-pi")
