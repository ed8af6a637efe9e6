"""The names that an agent's code finds: its answer, its signals, its memory."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, cast

from vitrine._agent._memory import AgentMemory
from vitrine._beginnings import plain_text, type_name
from vitrine._host import Host
from vitrine._run_helpers import Answer

type SignalType = Literal["uncertain", "explore", "commit"]

_LONGEST_MESSAGE = 2000
_LONGEST_ANSWER_TEXT = 1_000_000
_MOST_MEMORIES = 8
_MOST_FORGOTTEN = 1000
_MOST_NAMES = 20
_LONGEST_NAME = 100


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
    """Helpers of an agent's runs. What they gather belongs to a task; the latest tasks' is kept."""

    def __init__(self, host: Host) -> None:
        self._host = host
        # By task, the one that ran last at the end.
        self._memories: dict[str, AgentMemory] = {}
        # What was stored by tasks that have no memory any more.
        self._forgotten: dict[str, list[str]] = {}
        self._final_result: FinalResult | None = None
        self._memory_names: dict[str, object] = {}
        self._fixed_names: dict[str, object] = {
            "final_answer": self.final_answer,
            "uncertain": self._signal_function("uncertain", "Say what you are not sure of."),
            "explore": self._signal_function("explore", "Say what you are trying out."),
            "commit": self._signal_function("commit", "Say what you have decided to do."),
            "MultipleFinalAnswers": MultipleFinalAnswers,
        }
        self._memory = self._use(AgentMemory())

    @property
    def names(self) -> dict[str, object]:
        """The names, with the memory of the task that runs."""
        return self._fixed_names | self._memory_names

    @property
    def offered(self) -> dict[str, object]:
        """What the task has stored: it is shown to the model by these names."""
        # Code may have put anything in as a name.
        stored = cast("dict[object, object]", self._memory.to_namespace())
        return {
            name: value
            for name, value in stored.items()
            if type(name) is str
            and name.isidentifier()
            and not keyword.iskeyword(name)
            and not hasattr(builtins, name)
        }

    def begin(self, options: dict[str, Any]) -> None:
        """Begin a run of the task that ``options`` name."""
        self._final_result = None
        task_id = options["taskId"]
        memory = self._memories.pop(task_id, None)
        if memory is None or not memory.is_sound:
            memory = AgentMemory()
            for text in options.get("observations", ()):
                memory.observe(text)
            for text in options.get("failedApproaches", ()):
                memory.fail(text)
            names = self._forgotten.pop(task_id, None)
            if names:
                memory.observe(
                    f"More than {_MOST_MEMORIES} tasks share this session, so these values are "
                    f"no longer stored: {', '.join(names)}. Store again what is still needed."
                )
        self._memories[task_id] = memory
        self._forget_oldest()
        self._memory = self._use(memory)
        for text in options["failures"]:
            memory.fail(text)

    def prepare(self, tree: ast.Module) -> ast.Module:
        """An agent's code runs as it is."""
        return tree

    def answer(self) -> Answer | None:
        """What the run answered; the object that the code gave, with its text."""
        result = self._final_result
        if result is None:
            return None
        return Answer(result.value, _text_of(result.value), result.verified_by)

    def memory(self) -> dict[str, Any]:
        """The memory of the task that runs, as the page shows it."""
        return self._memory.report()

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
        verified = None if verified_by is None else plain_text(verified_by, _LONGEST_MESSAGE)
        self._final_result = FinalResult(value, verified)
        return value

    def _forget_oldest(self) -> None:
        if len(self._memories) <= _MOST_MEMORIES:
            return
        task_id = next(iter(self._memories))
        names = [name for name in self._memories.pop(task_id).variables if type(name) is str]
        if names:
            self._forgotten[task_id] = [name[:_LONGEST_NAME] for name in names[:_MOST_NAMES]]
        if len(self._forgotten) > _MOST_FORGOTTEN:
            del self._forgotten[next(iter(self._forgotten))]

    def _use(self, memory: AgentMemory) -> AgentMemory:
        self._memory_names = {
            "memory": memory,
            "store": memory.store,
            "recall": memory.recall,
            "observe": memory.observe,
        }
        return memory

    def _signal_function(
        self, signal_type: SignalType, documentation: str
    ) -> Callable[[object], Signal]:
        def signal(message: object) -> Signal:
            sent = Signal(signal_type, plain_text(message, _LONGEST_MESSAGE))
            self._host.signal(signal_type, sent.message)
            return sent

        signal.__name__ = signal.__qualname__ = signal_type
        signal.__doc__ = documentation
        return signal


def _text_of(value: object) -> str:
    try:
        return plain_text(value, _LONGEST_ANSWER_TEXT)
    except Exception as error:  # noqa: BLE001 - a broken __str__ must not cost the answer
        return f"<{type_name(value)} whose str() failed: {type_name(error)}>"
