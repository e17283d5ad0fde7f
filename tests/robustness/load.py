"""An editor that behaves as badly as editors do, for as long as one likes: what it does is seeded."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "lsp"))

from client import PATIENCE, Client, action_params, at, column, position, pull_params

PROGRAM = [sys.executable, "-m", "jaxref", "server"]

TEXTS = (
    """\
import jax
import jax.numpy as jnp
from helper{next} import make


def loss(state, x):
    return jnp.sum(state[...] * x)


state = make(jnp.ones(3))
value, f_vjp = jax.vjp(loss, state, jnp.ones(3))
grads = f_vjp(1.0)  # é😀
""",
    """\
import jax
import jax.numpy as jnp

label = "é😀"
r = jax.new_ref(jnp.zeros(3))


@jax.jit
def step(x):
    r[...] += x
    return r


for item in range(3):
    step(float(item))
jax.freeze(r)
r[...] = 1.0
""",
    """\
import jax


class Counter:
    def __init__(self, start):
        self.ref = jax.new_ref(start)

    def add(self, x):
        self.ref[...] = self.ref + x
        return self.ref[...]


counter = Counter(0.0)
counter.add(1.0)
jax.grad(lambda x: counter.add(x) * x)(2.0)
""",
    "x = 1\n\n\ndef nothing():\n    return x\n",
)
HELPER = "import jax\n\n\ndef make(x):\n    return jax.new_ref(x)\n"

PIECES = (
    "x", " ", "\n", "(", ")", "[...]", "# ", "'", "\n    ", "é", "😀", "r", "jax.", " = r\n", "del r\n",
    "  # jaxref: ignore\n", "jax.freeze(r)\n", "\r\n", '"""', ":",
)  # fmt: skip

RUBBISH: tuple[Any, ...] = (
    None, 1, [], "x", {"jaxref": 1}, {"jaxref": {"select": 1, "severity": [], "exclude": {"a": 1}}},
    {"jaxref": {"jaxVersion": "x" * 1000, "python": 3, "hints": "no", "nothing": {"a": [1]}}},
    {"settings": {"jaxref": {"perFileIgnores": {"*[": 1}, "extendExclude": ["[" * 50]}}},
)  # fmt: skip


class Editor:
    """One client with many open files. `texts` is what the server must have, by URI."""

    def __init__(
        self,
        folder: Path,
        files: int,
        seed: int,
        program: Sequence[str] = PROGRAM,
        pull: bool = False,
    ) -> None:
        self.pull = pull
        self.chance = random.Random(seed)
        self.folder = folder
        self.client = Client(program=program)
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.asked: list[int] = []
        (folder / "jaxref.toml").write_text("")
        for number in range(files):
            text = TEXTS[number % len(TEXTS)].replace("{next}", str(number))
            (folder / f"module{number}.py").write_text(text)
            (folder / f"helper{number}.py").write_text(HELPER)
        self.uris = [(folder / f"module{number}.py").as_uri() for number in range(files)]
        self.client.initialize(folder=folder, pull=pull)

    def open(self, uri: str, text: str | None = None) -> None:
        """Open a file, with its text on disk unless another is given."""
        if text is None:
            text = self.path(uri).read_text(encoding="utf-8")
        version = self.versions.get(uri, 0) + 1
        self.texts[uri], self.versions[uri] = text, version
        self.client.open(uri, text, version)

    def path(self, uri: str) -> Path:
        """Where the file is on disk."""
        return self.folder / uri.rpartition("/")[2]

    def close(self, uri: str) -> None:
        """Close a file."""
        self.client.close(uri)
        del self.texts[uri]

    def edit(self, uri: str) -> None:
        """Make one or a few changes, as by typing, pasting, deleting or reverting."""
        chance, text, changes = self.chance, self.texts[uri], []
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            if len(text) > 3000 or chance.random() < 0.1:
                text = chance.choice(TEXTS).replace("{next}", str(chance.randrange(9)))
                changes.append({"text": text})
                continue
            start = chance.randrange(len(text) + 1)
            end = min(len(text), start + chance.choice((0, 0, 0, 1, 2, 30)))
            start, end = (one - (text[one - 1 : one + 1] == "\r\n") for one in (start, end))
            new = chance.choice(PIECES)
            where = {"start": place(text, start), "end": place(text, end)}
            changes.append({"range": where, "text": new})
            text = text[:start] + new + text[end:]
        # Versions need not be consecutive, and with some clients they are no order either.
        version = self.versions[uri] + chance.choice((1, 1, 1, 5, -3))
        self.texts[uri], self.versions[uri] = text, version
        self.client.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes},
        )

    def ask(self, uri: str) -> None:
        """Send a request about the file, which need not be open; cancel some of them at once."""
        chance = self.chance
        where = at(uri, chance.randrange(20), chance.randrange(20))
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        method, params = chance.choice(
            (
                ("textDocument/hover", where),
                ("textDocument/codeAction", action_params(uri)),
                ("textDocument/completion", where),
                ("textDocument/signatureHelp", where),
                ("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole}),
                ("textDocument/diagnostic", {"textDocument": {"uri": uri}}),
                ("codeAction/resolve", {"title": "x", "data": {"fixAll": uri, "revision": 3}}),
                ("workspace/executeCommand", {"command": "jaxref.server.information"}),
                ("no/such", {}),
                ("textDocument/hover", {"textDocument": {"uri": 3}}),
            )
        )
        self.asked.append(self.client.ask(method, params))
        if chance.random() < 0.3:
            self.client.notify("$/cancelRequest", {"id": chance.choice(self.asked[-5:])})

    def misbehave(self) -> None:
        """Do one of the things that no editor should do."""
        chance, client = self.chance, self.client
        uri = chance.choice(self.uris)
        match chance.randrange(9):
            case 0:
                client.send_bytes(b"Content-Length: 7\r\n\r\n{broken")
            case 1:
                body = json.dumps([{"jsonrpc": "2.0", "method": 3, "id": {}}]).encode()
                client.send_bytes(b"content-length: %d\r\n\r\n%s" % (len(body), body))
            case 2:
                client.send_bytes(b"X-Nothing: 1\r\n\r\n")
            case 3:
                client.notify(
                    "workspace/didChangeConfiguration", {"settings": chance.choice(RUBBISH)}
                )
            case 4:
                client.settings = {None: chance.choice(RUBBISH), self.folder.as_uri(): [1]}
            case 5:
                huge = (self.folder / "huge.py").as_uri()
                client.open(huge, "import jax\n" + "x = jax.new_ref(1)  # é\n" * 30_000)
                client.close(huge)
            case 6:
                client.change((self.folder / "never_opened.py").as_uri(), 3, "x")
                client.close((self.folder / "never_opened.py").as_uri())
            case 7:
                changed = [
                    {"uri": one, "type": 1 + chance.randrange(3)} for one in (uri, "nonsense:")
                ]
                client.notify("workspace/didChangeWatchedFiles", {"changes": changed})
            case _:
                client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def one_step(self) -> None:
        """An edit most of the time, and something beside it some of the time."""
        chance = self.chance
        uri = chance.choice(self.uris)
        if uri not in self.texts:
            self.open(uri, chance.choice((None, self.path(uri).read_text("utf-8") + "\n")))
        self.edit(uri)
        luck = chance.random()
        if luck < 0.4:
            self.ask(chance.choice(self.uris))
        elif luck < 0.44:
            self.close(uri)
        elif luck < 0.5:
            self.misbehave()

    def run(self, seconds: float, rate: float) -> int:
        """Work for so long at so many edits a second; the number of edits."""
        began = time.monotonic()
        edits = 0
        while (now := time.monotonic() - began) < seconds:
            if edits > now * rate:
                time.sleep(edits / rate - now)
                continue
            self.one_step()
            edits += 1
        return edits

    def calm_down(self) -> None:
        """Take back the rubbish, reopen what is closed, and wait for all answers."""
        for uri in self.uris:
            if uri not in self.texts:
                self.open(uri)
        self.client.settings = {}
        self.client.notify("workspace/didChangeConfiguration", {"settings": {"jaxref": {}}})
        for number in self.asked:
            answer = self.client.answer_to(number)
            assert answer.keys() & {"result", "error"}
        self.asked.clear()

    def said(self) -> dict[str, Any]:
        """What the server said last of each open file, and of which version; or says now if asked."""
        if self.pull:
            return _pulled(self.client, self.texts)
        latest: dict[str, Any] = {}
        for message in list(self.client.received):
            if message.get("method") == "textDocument/publishDiagnostics":
                latest[message["params"]["uri"]] = message["params"]
        return {
            uri: {
                "version": latest[uri].get("version") if uri in latest else None,
                "diagnostics": latest.get(uri, {}).get("diagnostics"),
            }
            for uri in self.texts
        }

    def expected(self) -> dict[str, Any]:
        """What a server says that is started now and is told the texts as they are."""
        client = Client((), program=PROGRAM)
        try:
            client.initialize(folder=self.folder, pull=self.pull)
            for uri, text in self.texts.items():
                client.open(uri, text, self.versions[uri])
            if self.pull:
                # The answers for the first may come before the others are open.
                _pulled(client, self.texts)
                found = _pulled(client, self.texts)
                assert client.stop() == 0
                return found
            found = {}
            for uri in self.texts:
                actual = client.published(uri, version=self.versions[uri])
                found[uri] = {"version": self.versions[uri], "diagnostics": actual["diagnostics"]}
            # Opening a file that others import makes them be looked at again.
            for uri in self.texts:
                for params in client.publications(uri):
                    found[uri]["diagnostics"] = params["diagnostics"]
            assert client.stop() == 0
            return found
        finally:
            client.kill()

    def wait_for(self, expected: dict[str, Any]) -> None:
        """Wait until the server has said this of all files, and no more than it."""
        until = time.monotonic() + PATIENCE
        while self.said() != expected and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(1.0)
        said = self.said()
        assert said == expected, {
            uri: (self.texts[uri], said[uri], expected[uri])
            for uri in expected
            if said[uri] != expected[uri]
        }

    # -- the process

    def threads(self) -> int:
        """How many threads the server has."""
        return len(os.listdir(f"/proc/{self.client.process.pid}/task"))

    def handles(self) -> list[str]:
        """What the server's open file handles lead to."""
        folder = f"/proc/{self.client.process.pid}/fd"
        return sorted(_targets(folder))

    def memory(self) -> int:
        """The server's resident memory in bytes."""
        with open(f"/proc/{self.client.process.pid}/statm") as stream:
            return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def count(self) -> dict[str, int]:
        """What `counting_server.py` holds."""
        before = self.client.errors.count(b"COUNT")
        os.kill(self.client.process.pid, signal.SIGUSR1)
        until = time.monotonic() + PATIENCE
        while self.client.errors.count(b"COUNT") == before and time.monotonic() < until:
            time.sleep(0.02)
        said = self.client.errors.rpartition(b"COUNT ")[2]
        counted: dict[str, int] = json.loads(said.partition(b"\n")[0])
        return counted

    def messages(self) -> list[str]:
        """What was shown to the user."""
        return [
            one["params"]["message"]
            for one in list(self.client.received)
            if one.get("method") == "window/showMessage"
        ]


def _targets(folder: str) -> Iterator[str]:
    for name in os.listdir(folder):
        try:
            yield os.readlink(f"{folder}/{name}").partition(":")[0]
        except OSError:
            continue


def _pulled(client: Client, uris: Iterable[str]) -> dict[str, Any]:
    numbers = {uri: client.ask("textDocument/diagnostic", pull_params(uri)) for uri in uris}
    answers = {uri: client.answer_to(number) for uri, number in numbers.items()}
    return {uri: answer.get("result", {}).get("items") for uri, answer in answers.items()}


def place(text: str, offset: int) -> dict[str, int]:
    """The position of an offset in UTF-16, from the lines around it only."""
    line = text.count("\n", 0, offset)
    start = text.rfind("\n", 0, offset) + 1
    if "\r" in text:
        return position(text, offset, "utf-16")
    return {"line": line, "character": column(text[start:offset], "utf-16")}
