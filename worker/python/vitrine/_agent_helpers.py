"""The names that an agent's code finds: its answer, its signals, its memory."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from vitrine._agent_memory import AgentMemory
from vitrine._host import Host

type SignalType = Literal["uncertain", "explore", "commit"]

_LONGEST_MESSAGE = 2000
_LONGEST_ANSWER_TEXT = 1_000_000


@dataclass(frozen=True)
class FinalResult:
    """What an agent's code handed to ``final_answer``."""

    value: object
    verified_by: str | None = None


class MultipleFinalAnswers(RuntimeError):  # noqa: N818 - the name that agents' code knows
    """A second answer in one block. The first one is kept."""

    def __init__(self, first_answer: object, attempted_answer: object) -> None:
        super().__init__("Final answer already set. Each execution can only have one final answer.")
        self.first_answer = first_answer
        self.attempted_answer = attempted_answer


@dataclass(frozen=True)
class Signal:
    """Something that the code tells whoever follows the task."""

    signal_type: SignalType
    message: str

    def __str__(self) -> str:
        return f"[{self.signal_type.upper()}] {self.message}"

    __repr__ = __str__


class AgentHelpers:
    """Helpers of an agent's runs. What they gather belongs to the task, and ends with it."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._task_id: str | None = None
        self._memory = AgentMemory()
        self._final_result: FinalResult | None = None
        self._memory_names: dict[str, object] = {}
        self._fixed_names: dict[str, object] = {
            "final_answer": self.final_answer,
            "uncertain": self._signal_function("uncertain", "Say what you are not sure of."),
            "explore": self._signal_function("explore", "Say what you are trying out."),
            "commit": self._signal_function("commit", "Say what you have decided to do."),
            "MultipleFinalAnswers": MultipleFinalAnswers,
        }
        self._use(AgentMemory())

    @property
    def names(self) -> dict[str, object]:
        """The names, with the memory of the task that runs."""
        return self._fixed_names | self._memory_names

    @property
    def final_result(self) -> FinalResult | None:
        """What the run answered; the object the code gave."""
        return self._final_result

    def begin(self, options: dict[str, Any]) -> None:
        """Begin a run of the task that ``options`` name."""
        self._final_result = None
        if options["taskId"] != self._task_id:
            self._task_id = options["taskId"]
            self._use(AgentMemory())
            for text in options.get("observations", ()):
                self._memory.observe(text)
        for text in options["failures"]:
            self._memory.fail(text)

    def prepare(self, tree: ast.Module) -> ast.Module:
        """An agent's code runs as it is."""
        return tree

    def report(self) -> dict[str, Any]:
        """What the page is told after a run, but for the answer's value, which travels encoded."""
        result = self._final_result
        return {
            "answer": None
            if result is None
            else {"text": _text_of(result.value), "verifiedBy": result.verified_by},
            "memory": self._memory.report(),
        }

    def final_answer(self, value: object = None, *, verified_by: str | None = None) -> object:
        """Hand in the answer of the task, once; it ends with the block.

        Args:
            value: The answer.
            verified_by: How you made sure that it is right, in a sentence.

        Raises:
            MultipleFinalAnswers: The block has handed in one already, which is kept.
        """
        if self._final_result is not None:
            raise MultipleFinalAnswers(self._final_result.value, value)
        verified = None if verified_by is None else str(verified_by)[:_LONGEST_MESSAGE]
        self._final_result = FinalResult(value, verified)
        return value

    def _use(self, memory: AgentMemory) -> None:
        self._memory = memory
        self._memory_names = {
            "memory": memory,
            "store": memory.store,
            "recall": memory.recall,
            "observe": memory.observe,
        }

    def _signal_function(
        self, signal_type: SignalType, documentation: str
    ) -> Callable[[object], Signal]:
        def signal(message: object) -> Signal:
            sent = Signal(signal_type, str(message)[:_LONGEST_MESSAGE])
            self._host.signal(signal_type, sent.message)
            return sent

        signal.__name__ = signal.__qualname__ = signal_type
        signal.__doc__ = documentation
        return signal


def _text_of(value: object) -> str:
    try:
        return str(value)[:_LONGEST_ANSWER_TEXT]
    except Exception as error:  # noqa: BLE001 - a broken __str__ must not cost the answer
        return f"<{type(value).__name__} whose str() failed: {type(error).__name__}>"
