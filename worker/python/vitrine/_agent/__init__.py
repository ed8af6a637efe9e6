"""What an agent's step finds beside the namespaces: its answer, signals, and what it remembers."""

from __future__ import annotations

from vitrine._agent._helpers import AgentHelpers

__all__ = ["AgentHelpers"]
