import "./agent-card.js";
import "./agents-overview.js";
import "./batch-card.js";
import "./program-card.js";
