"""Lengths of time as people write them."""
