"""What algorithms return: values of vertices, partitions and their quality, counters, memory, stored columns."""
