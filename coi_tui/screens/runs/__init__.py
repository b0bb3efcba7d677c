"""Screens about running: plans, stages, cost, failures."""
