"""Classes: their statement, their instances, and how pytrees and dataclasses see them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from jaxref.domain.heap import Attributes, DictObject, ListObject, Scope
from jaxref.domain.values import (
    UNKNOWN,
    BoundMethod,
    ClassShape,
    ClassV,
    Const,
    Descriptor,
    DictV,
    Function,
    Instance,
    ListV,
    Symbol,
    Tuple,
    Value,
)
from jaxref.interp.evaluation import evaluate
from jaxref.interp.machine import Frame, Machine
from jaxref.jaxmodel.registry import Call, plain_call
from jaxref.source.walking import targets_in, walk

# Classes of libraries whose subclasses behave as dataclasses, with what JAX makes of their instances.
_DATACLASS_BASES = {
    "flax.struct.PyTreeNode": "fields",
    "equinox.Module": "fields",
    "equinox._module.Module": "fields",
    "flax.linen.Module": None,
}
_HARMLESS_BASES = frozenset(
    {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing.NamedTuple", "enum.Enum",
     "builtins.Exception", "builtins.ValueError", "builtins.TypeError", "builtins.RuntimeError"}
)  # fmt: skip


def define_class(
    m: Machine, node: ast.ClassDef, execute: Callable[[Machine, Sequence[ast.stmt]], None]
) -> None:
    """Evaluate a class statement and bind its name."""
    from jaxref.interp.calls import apply_decorators

    bases = tuple(evaluate(m, base) for base in node.bases)
    for keyword in node.keywords:
        evaluate(m, keyword.value)
    frame = m.frame
    scope = m.allocate(Scope(frame.scope, {}, "class"))
    key = m.allocate(Attributes({}))
    shape = ClassShape()
    for base in bases:
        _inherit(shape, base)
    cls = ClassV(key, node.name, node, scope, frame.module, bases, shape)
    if shape.kind in ("namedtuple", "dataclass"):
        _collect_fields(m, cls, node)
    m.frames.append(Frame(frame.module, scope, node, frame.call_place))
    m.memo[("class", scope)] = cls
    try:
        execute(m, node.body)
    finally:
        m.frames.pop()
    m.st.live = True
    names = dict(m.scope(scope).names)
    _own_functions(m, cls, names)
    m.st.put(key, Attributes(names, shape.opaque_base))
    if shape.kind in ("namedtuple", "dataclass"):
        _field_defaults(m, cls)
    value = apply_decorators(m, node.decorator_list, cls)
    m.bind(node.name, value)


def _own_functions(m: Machine, cls: ClassV, names: dict[str, Value]) -> None:
    """Tell the methods which class they belong to, for `super()` and name mangling."""
    m.memo[("owner", cls.id)] = cls
    for value in names.values():
        inner = value
        while isinstance(inner, Descriptor):
            inner = inner.function
        if isinstance(inner, Function):
            m.notes.define(("method of", id(inner.node)), cls)


def _inherit(shape: ClassShape, base: Value) -> None:
    if isinstance(base, ClassV):
        shape.kind = base.shape.kind if shape.kind == "plain" else shape.kind
        shape.fields = [
            *base.shape.fields,
            *(f for f in shape.fields if f not in base.shape.fields),
        ]
        shape.defaults = {**base.shape.defaults, **shape.defaults}
        shape.init_fields = [*base.shape.init_fields, *shape.init_fields]
        shape.opaque_base = shape.opaque_base or base.shape.opaque_base
        if base.shape.pytree == "fields" and base.shape.fields and base.shape.kind == "dataclass":
            # Subclasses of equinox modules and of flax.struct nodes are registered one by one.
            if base.shape.opaque_base:
                shape.pytree = "fields"
    elif isinstance(base, Symbol):
        if base.name in ("typing.NamedTuple", "typing_extensions.NamedTuple"):
            shape.kind = "namedtuple"
        elif base.name in _DATACLASS_BASES:
            shape.kind = "dataclass"
            shape.pytree = _DATACLASS_BASES[base.name]
            shape.opaque_base = True
        elif base.name.startswith("enum."):
            shape.kind = "enum"
        elif base.name not in _HARMLESS_BASES:
            shape.opaque_base = True
    elif isinstance(base, Tuple):
        pass
    else:
        # `Generic[T]` and the like, or a class that is not known.
        shape.opaque_base = True


def _collect_fields(m: Machine, cls: ClassV, node: ast.ClassDef) -> None:
    """The annotated names of a class body, in order, which dataclasses and NamedTuples take as fields."""
    shape = cls.shape
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            annotation = statement.annotation
            words = (
                ast.unparse(annotation)
                if isinstance(annotation, (ast.Name, ast.Attribute, ast.Subscript))
                else ""
            )
            if words.startswith(("ClassVar", "typing.ClassVar", "t.ClassVar")):
                continue
            name = statement.target.id
            if name not in shape.fields:
                shape.fields.append(name)
            if name not in shape.init_fields:
                shape.init_fields.append(name)
            shape.defaults.pop(name, None)
    if shape.pytree == "fields":
        shape.data_fields = list(shape.fields)


def _field_defaults(m: Machine, cls: ClassV) -> None:
    """Take defaults out of the class namespace: plain values and `dataclasses.field(...)`."""
    names = m.object(cls.id).names
    for name in cls.shape.fields:
        value = names.get(name)
        if value is None:
            continue
        if isinstance(value, Descriptor) and value.kind == "field":
            options = m.object(value.function.id) if isinstance(value.function, Instance) else None
            assert options is None or isinstance(options, Attributes)
            given = options.names if options is not None else {}
            if "default_factory" in given:
                cls.shape.defaults[name] = Descriptor("factory", given["default_factory"])
            elif "default" in given:
                cls.shape.defaults[name] = given["default"]
            if given.get("init") == Const(False):
                cls.shape.init_fields = [f for f in cls.shape.init_fields if f != name]
            static = given.get("static")
            node = given.get("pytree_node")
            if (
                static == Const(True)
                or node == Const(False)
                or given.get("metadata static") == Const(True)
            ):
                cls.shape.data_fields = [f for f in cls.shape.data_fields if f != name]
                m.notes.changing(("meta fields", cls.id), set).add(name)
        else:
            cls.shape.defaults[name] = value


def make_dataclass(m: Machine, cls: ClassV, pytree: bool = False) -> None:
    """What the decorator `dataclasses.dataclass` (and flax.struct's, `pytree`) does to a class."""
    m.changes_class(cls)
    cls.shape.kind = "dataclass"
    if pytree:
        cls.shape.pytree = "fields"
    _collect_fields(m, cls, cls.node)
    _field_defaults(m, cls)


def resolution_order(cls: ClassV) -> list[ClassV]:
    """The project's classes in method resolution order (depth first, the last occurrence kept)."""
    found: list[ClassV] = []

    def visit(one: ClassV, depth: int) -> None:
        if depth > 20:
            return
        if one in found:
            found.remove(one)
        found.append(one)
        for base in one.bases:
            if isinstance(base, ClassV):
                visit(base, depth + 1)

    visit(cls, 0)
    return found


def find_member(m: Machine, cls: ClassV, name: str) -> tuple[Value | None, bool]:
    """A class attribute along the resolution order, and whether a failed search is certain."""
    known = True
    for one in resolution_order(cls):
        attributes = m.object(one.id)
        found = attributes.names.get(name)
        if found is None:
            # While the class body is being evaluated its names are in its scope.
            found = m.scope(one.scope).names.get(name)
        if found is not None:
            return found, True
        if one.shape.opaque_base:
            known = False
    return None, known


def special_method(m: Machine, value: Value, name: str) -> Value | None:
    """A method of the class of an instance of a project class, bound; None when there is none."""
    if not isinstance(value, Instance):
        return None
    found, _ = find_member(m, value.cls, name)
    if isinstance(found, Function):
        return BoundMethod(found, value)
    if isinstance(found, Descriptor) and found.kind in ("staticmethod", "classmethod"):
        return (
            found.function
            if found.kind == "staticmethod"
            else BoundMethod(found.function, value.cls)
        )
    if found is None:
        return None
    return BoundMethod(found, value)


def instantiate(m: Machine, cls: ClassV, call: Call) -> Value:
    """`cls(...)`."""
    shape = cls.shape
    if shape.kind == "namedtuple":
        return _make_namedtuple(m, cls, call)
    if shape.kind == "enum":
        return UNKNOWN
    new = find_member(m, cls, "__new__")[0]
    if new is not None:
        function = new.function if isinstance(new, Descriptor) else new
        made = m.call(
            function,
            Call(call.node, (cls, *call.args), call.kwargs, call.open, (None, *call.nodes)),
        )
        if not isinstance(made, Instance):
            return made
        instance = made
    else:
        instance = Instance(m.allocate(Attributes({}, shape.opaque_base)), cls)
    init, known = find_member(m, cls, "__init__")
    if init is not None:
        m.call(BoundMethod(init, instance), call)
    elif shape.kind == "dataclass":
        _init_dataclass(m, instance, call)
    elif not known:
        attributes = m.object(instance.id)
        m.st.put(instance.id, Attributes(dict(attributes.names), True))
    return instance


def _make_namedtuple(m: Machine, cls: ClassV, call: Call) -> Value:
    values = _field_values(m, cls, call, cls.shape.fields)
    return Tuple(
        tuple(values[name] for name in cls.shape.fields), tuple(cls.shape.fields), cls.id, cls.name
    )


def instantiate_from_items(m: Machine, cls: ClassV, call: Call) -> Value:
    """`cls._make(items)` of a NamedTuple."""
    items = m.items(call.args[0], None).exact if call.args else None
    if items is None or len(items) != len(cls.shape.fields):
        return UNKNOWN
    return Tuple(tuple(items), tuple(cls.shape.fields), cls.id, cls.name)


def _field_values(m: Machine, cls: ClassV, call: Call, positional: list[str]) -> dict[str, Value]:
    values = dict(zip(positional, call.args, strict=False))
    values.update({name: value for name, value in call.kwargs.items() if name in cls.shape.fields})
    for name in cls.shape.fields:
        if name not in values:
            default = cls.shape.defaults.get(name)
            if isinstance(default, Descriptor) and default.kind == "factory":
                default = m.call(default.function, plain_call(call.node))
            if default is None or call.open:
                default = declared_field(m, cls, name)
            values[name] = default
    return values


def declared_field(m: Machine, cls: ClassV, name: str) -> Value:
    """A field of which only the annotation is known."""
    from jaxref.interp.annotations import annotated

    for one in resolution_order(cls):
        body = one.node.body if isinstance(one.node, ast.ClassDef) else ()
        for statement in body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                if statement.target.id == name:
                    return annotated(m, statement, name, one)
    return UNKNOWN


def _init_dataclass(m: Machine, instance: Instance, call: Call) -> None:
    values = _field_values(m, instance.cls, call, instance.cls.shape.init_fields)
    attributes = m.object(instance.id)
    m.st.put(instance.id, Attributes({**attributes.names, **values}, attributes.open))
    post = special_method(m, instance, "__post_init__")
    if post is not None:
        m.call(post, plain_call(call.node))


def replace_fields(m: Machine, value: Value, call: Call) -> Value:
    """`dataclasses.replace(value, ...)` and `namedtuple._replace(...)`."""
    if isinstance(value, Tuple) and value.names:
        items = [
            call.kwargs.get(name, item) for name, item in zip(value.names, value.items, strict=True)
        ]
        return Tuple(tuple(items), value.names, value.cls, value.cls_name)
    if isinstance(value, Instance):
        attributes = m.object(value.id)
        names = {**attributes.names, **call.kwargs}
        return Instance(m.allocate(Attributes(names, attributes.open or call.open)), value.cls)
    return UNKNOWN


def some_instance(m: Machine, cls: ClassV, node: ast.AST) -> Value:
    """An instance of which only the class is known: as its `__init__` leaves it, or later."""
    making: set[int] = m.memo.setdefault(("making",), set())
    if cls.id in making:
        return Instance(m.allocate(Attributes({}, True)), cls)
    making.add(cls.id)
    try:
        made = instantiate(m, cls, Call(node, (), {}, True))
    finally:
        making.discard(cls.id)
    if isinstance(made, Instance):
        _open_instance(m, made)
    return made


def open_container(m: Machine, value: Value) -> None:
    """An empty container at module level or in an instance is there to be filled by somebody."""
    if isinstance(value, DictV):
        found = m.object(value.id)
        if not found.entries:
            m.st.put(value.id, DictObject({}, True))
    elif isinstance(value, ListV):
        items = m.object(value.id)
        if items.items == ():
            m.st.put(value.id, ListObject(None, UNKNOWN, items.kind))


def _open_instance(m: Machine, instance: Instance) -> None:
    """Attributes that other methods set may have other values by now."""
    attributes = m.object(instance.id)
    names = dict(attributes.names)
    known: dict[int, set[str]] = m.memo.setdefault(("set elsewhere",), {})
    for one in resolution_order(instance.cls):
        if not isinstance(one.node, ast.ClassDef):
            continue
        if id(one.node) not in known:
            known[id(one.node)] = _set_elsewhere(one.node)
        names.update(dict.fromkeys(known[id(one.node)], UNKNOWN))
    for value in names.values():
        open_container(m, value)
    m.st.put(instance.id, Attributes(names, True))


def _set_elsewhere(cls: ast.ClassDef) -> set[str]:
    """Attributes of `self` that methods other than `__init__` assign."""
    found: set[str] = set()
    for method in cls.body:
        if not isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if method.name in ("__init__", "__post_init__", "setup") or not method.args.args:
            continue
        owner = method.args.args[0].arg
        for target in targets_in(method.body):
            for node in walk(target):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    if isinstance(node.value, ast.Name) and node.value.id == owner:
                        found.add(node.attr)
    return found
