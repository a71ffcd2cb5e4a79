"""The measuring harness after `rizoma bench`.

Every competitor holds the graph in a process of its own and is driven over pipes, so that neither its
memory nor its threads touch another's; one runs at a time.  `kernels.measure` is the whole of it:
make the graph, start the competitors, go round, check the answers, report.
"""
