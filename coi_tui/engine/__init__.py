"""Freshness, planner, scheduler, budget and jobs: knows tasks only through a protocol."""
