"""What an agent notes down in the course of a task."""

from __future__ import annotations

from typing import Any, NoReturn

from vitrine._beginnings import Beginnings

_SHOWN_OF_A_VALUE = 100
_LONGEST_NOTE = 2000
_MOST_SHOWN = 100


class AgentMemory:
    """Working memory of one task: values by name, observations, and what did not work.

    Its text is shown to the model after each step.
    """

    # What stands here is the task's for all its steps: code may change what is in it, and put
    # nothing else in its place, on which a later step would break.
    __slots__ = ("_failed_approaches", "_observations", "_variables")

    def __init__(self) -> None:
        self._variables: dict[str, Any]
        self._observations: list[str]
        self._failed_approaches: list[str]
        object.__setattr__(self, "_variables", {})
        object.__setattr__(self, "_observations", [])
        object.__setattr__(self, "_failed_approaches", [])

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"memory.{name} cannot be replaced. Use store(), observe() and memory.fail(), "
            "or change what is in it."
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"memory.{name} cannot be deleted. memory.clear() forgets everything.")

    @property
    def is_sound(self) -> bool:
        """Whether it still is what it was made of, whatever code did to it."""
        kinds = {"_variables": dict, "_observations": list, "_failed_approaches": list}
        return all(type(getattr(self, name, None)) is kind for name, kind in kinds.items())

    @property
    def variables(self) -> dict[str, Any]:
        """The stored values by name."""
        return self._variables

    @property
    def observations(self) -> list[str]:
        """What was found out."""
        return self._observations

    @property
    def failed_approaches(self) -> list[str]:
        """What does not work."""
        return self._failed_approaches

    def store(self, name: str, value: object) -> None:
        """Keep a value for later steps, under a name."""
        self._variables[str(name)] = value

    def recall(self, name: str, default: object = None) -> Any:
        """The value that was stored under ``name``, else ``default``."""
        return self._variables.get(name, default)

    def observe(self, text: str) -> None:
        """Note something that was found out."""
        self._observations.append(str(text))

    def fail(self, text: str) -> None:
        """Note an approach that does not work, so that it is not tried again."""
        note = str(text)
        # Code may have put into the list what compares as it likes.
        if not any(type(known) is str and known == note for known in self._failed_approaches):
            self._failed_approaches.append(note)

    def clear(self) -> None:
        """Forget everything."""
        self._variables.clear()
        self._observations.clear()
        self._failed_approaches.clear()

    def to_namespace(self) -> dict[str, Any]:
        """The stored values by name, as a copy."""
        return dict(self._variables)

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
        """What the page shows of it: the latest of each kind, cut where they are long.

        Names and notes are code's too, and may be of any class.
        """
        beginnings = Beginnings()
        return {
            "observations": [
                beginnings.of_text(text, _LONGEST_NOTE) for text in _latest(self._observations)
            ],
            "failedApproaches": [
                beginnings.of_text(text, _LONGEST_NOTE) for text in _latest(self._failed_approaches)
            ],
            "values": [
                {
                    "name": beginnings.of_text(name, _SHOWN_OF_A_VALUE),
                    "shown": beginnings.of_repr(value, _SHOWN_OF_A_VALUE),
                }
                for name, value in _latest(list(self._variables.items()))
            ],
        }

    def __repr__(self) -> str:
        return (
            f"<AgentMemory: {len(self._variables)} values, "
            f"{len(self._observations)} observations, "
            f"{len(self._failed_approaches)} failed approaches>"
        )


def _latest[T](items: list[T]) -> list[T]:
    return items[-_MOST_SHOWN:]
