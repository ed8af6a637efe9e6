"""Reads the settings of the mail robot."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

Value = str | int | float | bool | list[str]
Settings = dict[str, dict[str, Value]]


class SettingsError(ValueError):
    """Settings that cannot be used."""


def load(path: str | Path, overrides: Mapping[str, str] | None = None) -> Settings:
    """Return the tables of a file, with some values in place of others."""
    try:
        settings: Settings = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not TOML: {error}") from error
    for name, text in (overrides or {}).items():
        table, _, key = name.partition(".")
        if key not in settings.get(table, {}):
            raise SettingsError(f"{name}: there is no such setting.")
        settings[table][key] = _converted(name, text, settings[table][key])
    return settings


def _converted(name: str, text: str, present: Value) -> Value:
    """Return what a text means in place of a value."""
    text = text.strip() if not isinstance(present, str) else text
    # Before numbers: in Python a truth value is one.
    if isinstance(present, bool):
        if text not in ("true", "false"):
            raise SettingsError(f"{name}: {text!r} is neither true nor false.")
        return text == "true"
    if isinstance(present, list):
        return [part.strip() for part in text.split(",")]
    if isinstance(present, str):
        return text
    try:
        return type(present)(text)
    except ValueError as error:
        raise SettingsError(f"{name}: {text!r} is not a number of this kind.") from error
