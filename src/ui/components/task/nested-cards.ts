import "./agent-card.js";
import "./agents-overview.js";
import "./program-card.js";
