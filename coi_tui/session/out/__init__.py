"""What leaves a session: exports, dumps, reports."""
