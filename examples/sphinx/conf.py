"""A Sphinx site with runnable cells."""

project = "Shop"
extensions = ["myst_parser", "vitrine_sphinx"]
html_theme = "furo"
