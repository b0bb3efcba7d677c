"""Plans, and the services a run is given."""
