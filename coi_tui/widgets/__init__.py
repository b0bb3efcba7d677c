"""Parts of screens: chain tree, footer, sheets."""
