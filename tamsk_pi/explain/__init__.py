"""Why a ruling was given: the raw edges behind it, the windows that applied, the rule, and the sand at that instant."""
