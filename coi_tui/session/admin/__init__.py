"""What is not one session's matter: settings, session files, the check of services, bug reports."""
