"""Plans, what they send and cost, the services that a run is given, and the run itself."""
