"""Making a session again from its recorded calls alone."""
