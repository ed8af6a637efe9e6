"""Small text templates for mails and reports."""

from stencil.environment import Environment
from stencil.errors import TemplateError, TemplateNotFoundError
from stencil.escaping import Safe, escape
from stencil.loaders import DictLoader, FolderLoader

__all__ = [
    "DictLoader",
    "Environment",
    "FolderLoader",
    "Safe",
    "TemplateError",
    "TemplateNotFoundError",
    "escape",
]
