"""The commands `rizoma bench`, `probe` and `cost`, which the command line finds where `rizoma_lab` is installed."""
