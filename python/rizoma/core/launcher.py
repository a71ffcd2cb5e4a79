"""Whether an MPI launcher has started this process: known before anything of ranks is imported."""

from __future__ import annotations

import os

__all__ = ["launched"]

_SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "MPI_LOCALNRANKS")


def launched() -> bool:
    """Whether an MPI launcher has started this process as one of several ranks."""
    return any(os.environ.get(name, "").isdigit() and int(os.environ[name]) > 1 for name in _SIZES)
