"""The command `rizoma`: one file for each subcommand."""
