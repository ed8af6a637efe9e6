"""A bridge without a page: requests are answered by functions of the test.

It stands in where the logic under test is Python's alone. What the real page
answers is tested in the browser, through a session.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from vitrine._bridge import current_call
from vitrine._loop import BridgeLoop
from vitrine._skill_inspection import inspect_skill
from vitrine._wire_errors import error_from_wire

type Arguments = dict[str, Any]
type Handler = Callable[[Arguments], object]


class InParts:
    """An answer of which parts come before the rest."""

    def __init__(self, parts: Iterable[object], rest: object) -> None:
        self.parts = parts
        self.rest = rest


class MemoryBridge:
    """Answers each method by a handler, and keeps what was asked.

    Awaited requests are answered when the loop is idle, so that as many are open
    at once as the code under test sends; ``most_open`` counts them.
    """

    def __init__(self, **handlers: Handler) -> None:
        self.handlers = {name.replace("__", "."): handler for name, handler in handlers.items()}
        self.asked: list[tuple[str, Arguments]] = []
        self.parents: list[tuple[str, str | None]] = []
        self.most_open = 0
        self._open: list[Callable[[], None]] = []
        self._loop = BridgeLoop(self._wait)

    def request(
        self, method: str, arguments: Arguments, hear: Callable[[object], None] | None = None
    ) -> Any:
        self.asked.append((method, arguments))
        self.parents.append((method, current_call.get()))
        handler = self.handlers.get(method)
        if handler is None:
            raise AssertionError(f"nobody answers {method}")
        answer = handler(arguments)
        if not isinstance(answer, InParts):
            return answer
        for part in answer.parts:
            if hear is not None:
                hear(part)
        return answer.rest

    async def request_async(
        self, method: str, arguments: Arguments, hear: Callable[[object], None] | None = None
    ) -> Any:
        future = self._loop.create_future()
        parent = current_call.get()

        def answer() -> None:
            token = current_call.set(parent)
            try:
                future.set_result(self.request(method, arguments, hear))
            except Exception as error:  # noqa: BLE001 - handed to whoever awaits it
                future.set_exception(error)
            finally:
                current_call.reset(token)

        self._open.append(answer)
        self.most_open = max(self.most_open, len(self._open))
        return await future

    def run_coroutine[T](self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(coroutine)

    def methods(self) -> list[str]:
        """The methods that were asked for, in order."""
        return [method for method, _ in self.asked]

    def close(self) -> None:
        """Close the loop."""
        self._loop.close()

    def _wait(self, seconds: float | None) -> None:
        if seconds == 0:
            return
        if self._open:
            answers, self._open = self._open, []
            for answer in answers:
                answer()
        elif seconds is None:
            raise AssertionError("the loop waits for something that never comes")
        else:
            time.sleep(seconds)


def page_error(name: str, message: str, operation: str, **details: object) -> BaseException:
    """An error as the bridge raises it for what the page reported."""
    namespace, _, method = operation.partition(".")
    return error_from_wire(name, "CODE", message, details, namespace, method)


def tool(
    name: str, *callables: Arguments, description: str = "", tags: tuple[str, ...] = ()
) -> Arguments:
    """A tool as the page describes it."""
    return {
        "name": name,
        "alias": name.replace("-", "_"),
        "description": description,
        "tags": list(tags),
        "dynamic": False,
        "callables": list(callables),
    }


def recipe(name: str, *parameters: Arguments, signature: str, description: str = "") -> Arguments:
    """A callable of a tool as the page describes it."""
    return {
        "name": name,
        "alias": f"{name}_" if name == "list" else name.replace("-", "_"),
        "description": description,
        "signature": signature,
        "parameters": list(parameters),
    }


def parameter(
    name: str,
    kind: str = "string",
    *,
    required: bool = False,
    default: object = None,
    description: str = "",
) -> Arguments:
    """A parameter of a tool as the page describes it."""
    return {
        "name": name,
        "alias": name.replace("-", "_"),
        "type": kind,
        "python_type": {"string": "str", "integer": "int"}[kind],
        "required": required,
        "default": default,
        "description": description,
    }


class MemorySkills:
    """The page's part of ``skills``, over a dict."""

    def __init__(self, bridge: MemoryBridge) -> None:
        self._skills: dict[str, Arguments] = {}
        self.begun: list[Arguments] = []
        self.ended: list[Arguments] = []
        bridge.handlers |= {
            "skills.list": lambda _: list(self._skills.values()),
            "skills.search": lambda asked: [
                {**skill, "score": 0.5} for skill in list(self._skills.values())[: asked["limit"]]
            ],
            "skills.get": lambda asked: self._skills.get(asked["name"]),
            "skills.create": self.create,
            "skills.delete": lambda asked: self._skills.pop(asked["name"], None) is not None,
            "skills.begin": self._begin,
            "skills.end": self.ended.append,
        }

    def create(self, asked: Arguments) -> object:
        """Keep a skill."""
        inspected = inspect_skill(asked["name"], asked["source"])
        description = asked.get("description") or inspected["description"]
        self._skills[asked["name"]] = {**inspected, **asked, "description": description}
        return self._skills[asked["name"]]

    def _begin(self, asked: Arguments) -> object:
        skill = self._skills.get(asked["name"])
        if skill is None:
            message = f"Skill not found: {asked['name']}"
            raise page_error(
                "SkillNotFoundError", message, "skills.begin", skill_name=asked["name"]
            )
        self.begun.append(asked)
        return {"callId": f"call-{len(self.begun)}", "source": skill["source"]}
