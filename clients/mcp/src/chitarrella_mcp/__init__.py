"""The tools of agents, over the Model Context Protocol: questions about the rules, and seats at matches."""
