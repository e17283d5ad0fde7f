"""The remedies for what rules find: one file for a rule or for a few that are mended alike.

A module here holds `REMEDIES`: for each rule the functions that each make one fix, the best first.
"""
