"""The only SQL: every table, its log, its posts and its people in one SQLite file.

Times are whole seconds since 1970, UTC.
"""

from bot.store.database import Conflict, StoreError, backup, migrations, read_only
from bot.store.people import PeopleRows
from bot.store.posts import PostRows
from bot.store.reminders import ReminderRows
from bot.store.rows import Board, DueReminder, Entry, LogLine, Post, Reminder, Reminders, Result, TableRow
from bot.store.servers import ServerRows
from bot.store.tables import TableRows

__all__ = [
    "Board",
    "Conflict",
    "DueReminder",
    "Entry",
    "LogLine",
    "Post",
    "Reminder",
    "Reminders",
    "Result",
    "Store",
    "StoreError",
    "TableRow",
    "backup",
    "migrations",
    "read_only",
]


class Store(TableRows, PostRows, PeopleRows, ReminderRows, ServerRows):
    """The open database.  `await Store.open(path)`, and `await store.close()` at the end."""
