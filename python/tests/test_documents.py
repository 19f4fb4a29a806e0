"""Examples in docstrings and in docs/python.md run, and the stub tells what the native module has."""

import ast
import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import ollehto
from ollehto import _native

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
STUB = ast.parse((Path(ollehto.__file__).parent / "_native.pyi").read_text())
MODULES = ["ollehto", *(f"ollehto.{module.name}" for module in pkgutil.iter_modules(ollehto.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        pytest.skip(f"{missing.name} is not installed")
    assert doctest.testmod(module).failed == 0


def test_examples_of_native_classes():
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for thing in (_native.Board,):
        for test in finder.find(thing, globs={}):
            runner.run(test)
    assert runner.tries > 0 and runner.failures == 0


def test_examples_on_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text()
    test = doctest.DocTestParser().get_doctest(text.replace("```\n", "\n"), {}, "python.md", str(PAGE), 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.tries > 10 and runner.failures == 0


def parameters(function):
    names = [argument.arg for argument in function.args.posonlyargs + function.args.args]
    defaults = [ast.literal_eval(default) for default in function.args.defaults]
    return [name for name in names if name not in ("self", "cls")], defaults


def check_signature(stub, thing):
    signature = inspect.signature(thing)
    found = [parameter for name, parameter in signature.parameters.items() if name not in ("self", "cls")]
    names, defaults = parameters(stub)
    assert [parameter.name for parameter in found] == names, stub.name
    given = [parameter.default for parameter in found if parameter.default is not inspect.Parameter.empty]
    assert given == defaults, stub.name


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_the_stub_agrees_with_the_module():
    functions = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
    assert public(functions) | public(classes) == public(vars(_native))
    for name, node in functions.items():
        check_signature(node, getattr(_native, name))
    for name, node in classes.items():
        native = getattr(_native, name)
        members = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
        assert public(members) == public(vars(native)), name
        for member_name, member in members.items():
            is_property = any(getattr(mark, "id", None) == "property" for mark in member.decorator_list)
            if not is_property and not member_name.startswith("__"):
                check_signature(member, getattr(native, member_name))
            assert member_name.startswith("__") or name != "Board" or getattr(native, member_name).__doc__


def test_everything_public_is_documented():
    for name in ollehto.__all__:
        thing = getattr(ollehto, name)
        if callable(thing):
            assert thing.__doc__, name
            inspect.signature(thing)
