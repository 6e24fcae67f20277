"""The local table: the bot in a simulated Discord on this computer, every seat played in a browser."""
