"""Replaces packages that trainers import at the top and that the tested functions never use."""

from __future__ import annotations

import sys
from abc import ABCMeta
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

TRAINERS = Path(__file__).parents[2] / ".venv" / "trainers"
# Ray starts clusters, DeepSpeed and torchao need a GPU to be useful, Numba only compiles, and the others read data,
# write logs or parse answers.
STUBBED = frozenset(
    "codetiming cv2 datasets deepdiff deepspeed google h5py matplotlib numba overrides pandas peft pettingzoo PIL "
    "pyarrow pylatexenc ray sensai sentencepiece tensorboard tiktoken torchao torchdata vllm wandb".split()
)
# Not all of flash_attn: where its kernels are missing, the trainers fall back to PyTorch.
STUBBED_MODULES = frozenset(
    {"flash_attn", "flash_attn.bert_padding", "flash_attn.utils", "flash_attn.utils.distributed"}
)


class _Meta(ABCMeta):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub

    def __or__(cls, other: Any) -> Any:
        return Any

    __ror__ = __or__


class Stub(metaclass=_Meta):
    """Replaces any class, decorator or constant of a stubbed package. As a decorator, it changes nothing."""

    def __new__(cls, *args: Any, **_: Any) -> Any:
        """Return a function that is decorated without arguments; otherwise, an object that has every attribute."""
        if cls is Stub and len(args) == 1 and callable(args[0]):
            return args[0]
        return super().__new__(cls)

    def __init_subclass__(cls, **_: Any) -> None:
        """Accept the keyword arguments that a real base class would accept."""

    def __class_getitem__(cls, item: Any) -> Any:
        """Accept type parameters."""
        return cls

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub()

    def __call__(self, *args: Any, **_: Any) -> Any:
        """Return a decorated function as it is."""
        return args[0] if len(args) == 1 and callable(args[0]) else Stub()


class _StubModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub


class _Finder(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for a stubbed package or a module in it. A real package never reaches this code."""
        is_stubbed = fullname.partition(".")[0] in STUBBED or fullname in STUBBED_MODULES
        return ModuleSpec(fullname, self, is_package=True) if is_stubbed else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return a module that has every attribute."""
        module = _StubModule(spec.name)
        module.__dict__["__version__"] = "99.0.0"
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: there is no code."""


def prepare() -> None:
    """Make the trainers importable. Their folder comes last, so that none of their packages hides one of ours."""
    sys.path.append(str(TRAINERS))
    sys.meta_path.append(_Finder())
