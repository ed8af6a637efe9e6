"""Tools of a page, for the tests of ``tools``."""

from __future__ import annotations

from memory_bridge import parameter, recipe, tool

ECHO = tool(
    "echo",
    recipe(
        "echo",
        parameter("text", required=True, description="what to say"),
        parameter("times", "integer", default=1),
        signature="echo(*, text: str, times: int = 1)",
        description="Echo text",
    ),
    recipe("shout", parameter("text"), signature="shout(*, text: str | None = None)"),
    description="Says things",
)
ARGS = tool(
    "args",
    recipe("open", parameter("src", required=True), signature="open(*, src: str)"),
    recipe("list", signature="list_()"),
    recipe("dry-run", parameter("log-level"), signature="dry_run(*, log_level: str | None = None)"),
)
MY_TOOL = tool("my-tool", recipe("go", signature="go()"))
SERVER = {**tool("server"), "dynamic": True}
MANY = {**tool("many", recipe("first", signature="first()"), description="Has many"), "more": 1}
MANY_MORE = {
    **recipe("last-one", parameter("f"), signature="last_one(*, f: Filter)"),
    "typed": True,
}
