"""Mails, which are a text and the same as HTML."""

from dataclasses import dataclass

from stencil.environment import Environment


@dataclass(frozen=True)
class Mail:
    """The two bodies of a mail."""

    text: str
    html: str


def render_mail(environment: Environment, name: str, /, **values: object) -> Mail:
    """Render ``NAME.txt`` and ``NAME.html`` with the same values."""
    text = environment.render(f"{name}.txt", **values)
    html = environment.render(f"{name}.html", **values)
    return Mail(text, html)
