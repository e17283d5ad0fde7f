"""Names from other modules: project files, the environment on disk, the one jedi backend."""
