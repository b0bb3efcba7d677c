"""Freshness, planner, scheduler, budget and jobs: knows steps only through a protocol."""
