"""What every outside service has in common, models and sources of papers alike: addresses,
certificates, limits and retries."""
