"""Reading a session: rows, details, reasons, history, sums."""
