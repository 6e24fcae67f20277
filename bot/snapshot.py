"""Frozen dataclasses to plain JSON values and back, exactly: what `dump` gives, `load` turns into an equal value."""

from __future__ import annotations

import types
from dataclasses import is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin

from cattrs.preconf.json import JsonConverter, make_converter
from cattrs.strategies import configure_tagged_union

T = TypeVar("T")


def _is_choice_of_dataclasses(annotation: Any) -> bool:
    arms = [arm for arm in get_args(annotation) if arm is not type(None)]
    return (
        get_origin(annotation) in (Union, types.UnionType) and len(arms) > 1 and all(is_dataclass(arm) for arm in arms)
    )


@cache
def _converter() -> JsonConverter:
    converter = make_converter()
    converter.register_structure_hook_factory(_is_choice_of_dataclasses, _tagged_structure)
    converter.register_unstructure_hook_factory(_is_choice_of_dataclasses, _tagged_unstructure)
    return converter


@cache
def _tagged(choice: Any) -> JsonConverter:
    """A converter that writes the class of each member of that union beside its fields."""
    converter = make_converter()
    converter.register_structure_hook_factory(
        lambda annotation: annotation is not choice and _is_choice_of_dataclasses(annotation),
        _tagged_structure,
    )
    configure_tagged_union(choice, converter, tag_name="type")
    return converter


def _tagged_structure(choice: Any) -> Any:
    return _tagged(choice).get_structure_hook(choice)


def _tagged_unstructure(choice: Any) -> Any:
    return _tagged(choice).get_unstructure_hook(choice)


def dump(value: Any) -> Any:
    """The dataclass as plain JSON values; members of unions carry their class name as `type`."""
    return _converter().unstructure(value)


def load(kind: type[T], value: Any) -> T:
    """The dataclass of that kind which `dump` made that value of."""
    return _converter().structure(value, kind)
