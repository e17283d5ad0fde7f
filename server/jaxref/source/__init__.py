"""Text and positions, parsing with error recovery, suppression comments, notebooks, Markdown."""
