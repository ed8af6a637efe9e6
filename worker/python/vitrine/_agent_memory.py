"""What an agent notes down in the course of a task."""

from __future__ import annotations

from typing import Any

from vitrine._codec import safe_repr

_SHOWN_OF_A_VALUE = 100
_LONGEST_NOTE = 2000
_MOST_SHOWN = 100


class AgentMemory:
    """Working memory of one task: values by name, observations, and what did not work.

    Its text is shown to the model after each step.
    """

    def __init__(self) -> None:
        self.variables: dict[str, Any] = {}
        self.observations: list[str] = []
        self.failed_approaches: list[str] = []

    def store(self, name: str, value: object) -> None:
        """Keep a value for later steps, under a name."""
        self.variables[str(name)] = value

    def recall(self, name: str, default: object = None) -> Any:
        """The value that was stored under ``name``, else ``default``."""
        return self.variables.get(name, default)

    def observe(self, text: str) -> None:
        """Note something that was found out."""
        self.observations.append(str(text))

    def fail(self, text: str) -> None:
        """Note an approach that does not work, so that it is not tried again."""
        note = str(text)
        if note not in self.failed_approaches:
            self.failed_approaches.append(note)

    def clear(self) -> None:
        """Forget everything."""
        self.variables.clear()
        self.observations.clear()
        self.failed_approaches.clear()

    def to_namespace(self) -> dict[str, Any]:
        """The stored values by name, as a copy."""
        return dict(self.variables)

    def to_context(self) -> str:
        """The memory as the model is shown it; empty when there is nothing."""
        report = self.report()
        sections = [
            (
                "### Stored Values",
                [f"{item['name']}: {item['shown']}" for item in report["values"]],
            ),
            ("### Observations", report["observations"]),
            ("### Failed Approaches (avoid these)", report["failedApproaches"]),
        ]
        written = [
            "\n".join([heading, *(f"- {line}" for line in lines)])
            for heading, lines in sections
            if lines
        ]
        return "\n\n".join(["## Working Memory", *written]) if written else ""

    def report(self) -> dict[str, Any]:
        """What the page shows of it: the latest of each kind, cut where they are long."""
        return {
            "values": [
                {"name": _cut(name, _SHOWN_OF_A_VALUE), "shown": _shown(value)}
                for name, value in _latest(list(self.variables.items()))
            ],
            "observations": [_cut(text, _LONGEST_NOTE) for text in _latest(self.observations)],
            "failedApproaches": [
                _cut(text, _LONGEST_NOTE) for text in _latest(self.failed_approaches)
            ],
        }

    def __repr__(self) -> str:
        return (
            f"<AgentMemory: {len(self.variables)} values, {len(self.observations)} observations, "
            f"{len(self.failed_approaches)} failed approaches>"
        )


def _latest[T](items: list[T]) -> list[T]:
    return items[-_MOST_SHOWN:]


def _shown(value: object) -> str:
    return _cut(safe_repr(value), _SHOWN_OF_A_VALUE)


def _cut(text: str, length: int) -> str:
    # Names and notes are code's, and may be of a class of its own.
    whole = str(text)
    return whole if len(whole) <= length else f"{whole[:length]}..."
