"""Reading a session: rows, details, reasons, names."""
