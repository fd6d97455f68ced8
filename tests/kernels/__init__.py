"""Compiled equals Python, for every function that kernels are made of: one harness, a registry per room."""
