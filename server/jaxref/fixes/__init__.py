"""Fixes as values, the builders that make them, and their application to a text."""
