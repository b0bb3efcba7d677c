"""One call: topic and criteria in, an idea and its experiment plan out, in a single answer. What
the other methods are compared with."""
