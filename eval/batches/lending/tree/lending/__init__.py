"""Who has which book."""
