"""Rizoma's laboratory: benchmarks, the probe of a machine, and the model of what a job costs elsewhere.

No part of using a graph; it comes with `pip install rizoma[lab]`.
"""
