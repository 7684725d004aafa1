"""An MCP server that keeps notes in notebooks."""
