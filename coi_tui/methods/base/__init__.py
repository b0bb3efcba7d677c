"""What the tasks and cells of every method are made with."""
