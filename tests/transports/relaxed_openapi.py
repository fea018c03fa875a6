"""The contract as it is read: proto3 JSON takes more than a document for people should have to say.

Numbers are read from text, names from their numbers, and null stands for what is left out of a choice.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

DIGITS = "^-?[0-9]{1,20}$"


def widened(document: Schema) -> Schema:
    """The document with every field that the JSON decoder accepts."""
    components = document["components"]
    schemas = {name: _object(schema) for name, schema in components["schemas"].items()}
    paths = {
        path: {method: _operation(one) for method, one in item.items()} for path, item in document["paths"].items()
    }
    return {**document, "paths": paths, "components": {**components, "schemas": schemas}}


def _operation(operation: Schema) -> Schema:
    if "requestBody" not in operation:
        return operation
    body = operation["requestBody"]
    content = {kind: {**one, "schema": _object(one["schema"])} for kind, one in body["content"].items()}
    return {**operation, "requestBody": {**body, "content": content}}


def _object(schema: Schema) -> Schema:
    if "enum" in schema:
        return {"anyOf": [schema, {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}]}
    if "properties" not in schema or schema.get("additionalProperties", True):
        return schema
    properties = {name: _value(one) for name, one in schema["properties"].items()}
    for name in _chosen(schema):
        properties[name] = {"anyOf": [properties[name], {"type": "null"}]}
    return {**schema, "properties": properties}


def _chosen(schema: Schema) -> set[str]:
    """The names of the fields of which only one may be there."""
    choices = [one for choice in schema.get("allOf", []) for one in choice["oneOf"]]
    return {name for one in choices for name in one.get("required", [])}


def _value(schema: Schema) -> Schema:
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "integer" in kinds:
        return {"anyOf": [schema, {"type": "string", "pattern": DIGITS}]}
    if schema.get("format") in {"int64", "uint64"}:
        return {"anyOf": [schema, {"type": "integer"}]}
    if "array" in kinds:
        return {**schema, "items": _value(schema["items"])}
    return schema
