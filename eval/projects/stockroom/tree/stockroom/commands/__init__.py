"""All commands, by name."""

from stockroom.commands.command import Command
from stockroom.commands.kinds import DROP, REGISTER
from stockroom.commands.pieces import ADD, MOVE, TAKE
from stockroom.commands.reports import LIST, LOW

COMMANDS: dict[str, Command] = {
    command.name: command for command in (ADD, DROP, LIST, LOW, MOVE, REGISTER, TAKE)
}

__all__ = ["COMMANDS", "Command"]
