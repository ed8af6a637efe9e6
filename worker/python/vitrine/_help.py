"""``help()`` of session code: of a tool it shows the stub that the page writes."""

from __future__ import annotations

from typing import override


class Help:
    """The builtin ``help``, for tools and their callables too."""

    def __call__(self, *subjects: object) -> None:
        """Print how to use a tool or a recipe; of anything else what Python knows of it."""
        explained = explanation(subjects[0]) if len(subjects) == 1 else None
        if explained is not None:
            print(explained)
            return
        # It takes long to import, and is seldom wanted.
        import pydoc

        pydoc.help(*subjects)

    @override
    def __repr__(self) -> str:
        return "help(x) explains x, for instance a tool."


def explanation(subject: object) -> str | None:
    """The text of something that explains itself; None of anything else."""
    # Looked up on the class: what the attributes of a tool are called is up to others.
    method = getattr(type(subject), "_help_text", None)
    return str(method(subject)) if callable(method) else None


__all__ = ["Help", "explanation"]
