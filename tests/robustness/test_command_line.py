"""The command line as a process when something around it goes wrong: exit code, words, and what is on disk."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "jaxref"]
PATIENCE = 120
"""Seconds for what takes a few."""
FIXABLE = """\
import jax
import jax.numpy as jnp


def loss(w, state_ref):
    state_ref[...] = w * 2
    return jnp.sum(w)


w = jnp.ones(3)
state_ref = jax.new_ref(jnp.zeros(3))
value, f_vjp = jax.vjp(loss, w, state_ref)
grads = f_vjp(jnp.ones_like(value))
"""
MADE = "import jax\n\n\ndef made(x):\n    return jax.new_ref(x)\n"
USES = """\
import jax
from lib.made import made


@jax.jit
def f(x):
    return made(x)


f(1.0)
"""
BROKEN = "x = (\n"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, limits and devices of POSIX")


@pytest.fixture(autouse=True)
def surroundings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of the user's own; returns the folder for kept results."""
    for name in ("JAXREF_OUTPUT_FORMAT", "FORCE_COLOR", "CLICOLOR_FORCE", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("JAXREF_CACHE_DIR", str(cache))
    return cache


def jaxref(
    folder: Path, *arguments: str, before: Sequence[str] = (), **options: object
) -> subprocess.CompletedProcess[str]:
    """What a run in `folder` came to; `before` is put before the command."""
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [*before, *COMMAND, *arguments],
        cwd=folder,
        text=True,
        timeout=PATIENCE,
        check=False,
        **given,
    )


def started(folder: Path, *arguments: str, **options: object) -> subprocess.Popen[str]:
    """A run in `folder` that goes on, in a process group of its own."""
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        [*COMMAND, *arguments], cwd=folder, text=True, start_new_session=True, **given
    )


def until(condition: Callable[[], object], what: str) -> None:
    """Wait for something that comes."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not come"
        time.sleep(0.01)


def group_is_gone(group: int) -> bool:
    """Whether no process of the group is left, but for those nobody has asked about yet."""
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, of = entry.read_text().rpartition(")")[2].split()[:3]
            if int(of) == group and state not in "ZX":
                return False
    return True


def fixable_files(folder: Path, number: int) -> list[Path]:
    paths = [folder / f"m{index:03}.py" for index in range(number)]
    for path in paths:
        path.write_text(FIXABLE)
    return paths


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `--fix` makes of `FIXABLE`."""
    folder = tmp_path_factory.mktemp("fixed")
    (folder / "a.py").write_text(FIXABLE)
    done = jaxref(folder, "check", "--fix", "--isolated", "--jax-version", "0.12", "a.py")
    assert done.returncode == 0, done
    text = (folder / "a.py").read_text()
    assert text != FIXABLE
    return text


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# -- where the output goes -------------------------------------------------------------------------

TALKATIVE = [
    ["check"],
    ["check", "--output-format", "concise"],
    ["check", "--output-format", "json"],
    ["check", "--output-format", "json-lines"],
    ["check", "--output-format", "sarif"],
    ["check", "--output-format", "junit"],
    ["check", "--diff"],
    ["check", "--jobs", "2", "--no-cache"],
    ["check", "--show-files"],
    ["rule", "--all"],
    ["config"],
    ["completion", "bash"],
    ["reveal", "m000.py"],
    ["version"],
    ["--version"],
    ["--help"],
]


@pytest.mark.parametrize("arguments", TALKATIVE, ids=" ".join)
def test_a_pipe_that_nobody_reads(tmp_path: Path, arguments: list[str]) -> None:
    fixable_files(tmp_path, 3)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = jaxref(tmp_path, *arguments, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_pipe_that_is_closed_after_the_first_line(tmp_path: Path) -> None:
    fixable_files(tmp_path, 150)
    process = started(tmp_path, "check", "--no-cache")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("error[unbound-ref-gradient]: ")
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait(PATIENCE) == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", TALKATIVE, ids=" ".join)
def test_output_to_a_full_disk(tmp_path: Path, arguments: list[str]) -> None:
    fixable_files(tmp_path, 3)
    with open("/dev/full", "wb") as full:
        done = jaxref(tmp_path, *arguments, stdout=full)
    assert (done.returncode, done.stderr) == (2, "jaxref: error: no space left on device\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_difference_of_many_files_to_a_full_disk(tmp_path: Path) -> None:
    """More than is written at once: the first write fails in the middle of the run."""
    paths = fixable_files(tmp_path, 40)
    with open("/dev/full", "wb") as full:
        done = jaxref(tmp_path, "check", "--diff", stdout=full)
    assert (done.returncode, done.stderr) == (2, "jaxref: error: no space left on device\n")
    assert all(path.read_text() == FIXABLE for path in paths)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_an_output_file_that_is_a_full_device(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BROKEN)
    done = jaxref(tmp_path, "check", "--output-file", "/dev/full")
    said = "jaxref: error: --output-file: /dev/full: no space left on device\n"
    assert (done.returncode, done.stderr) == (2, said)
    assert not os.path.isfile("/dev/full")


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed(tmp_path: Path, stream: str) -> None:
    (tmp_path / "a.py").write_text(BROKEN)
    command = " ".join([*COMMAND, "check", "a.py", stream])
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert (tmp_path / "a.py").read_text() == BROKEN


def test_standard_input_that_is_closed(tmp_path: Path) -> None:
    command = " ".join([*COMMAND, "check", "-", "<&-"])
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "jaxref: error: <stdin>: is closed\n")


def test_a_current_folder_that_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    command = f"rmdir {folder}; exec {' '.join(COMMAND)} check"
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "jaxref: error: no such file or directory\n"


# -- disks -----------------------------------------------------------------------------------------


def no_file_larger_than(size: int) -> Callable[[], None]:
    """Run in a child before the command: writing more into a file fails, as on a full disk."""
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def test_a_file_that_cannot_be_written_whole_is_left_as_it_was(
    tmp_path: Path, surroundings: Path
) -> None:
    paths = fixable_files(tmp_path, 2)
    (tmp_path / "report.json").write_text("the last report")
    (tmp_path / "baseline.json").write_text('{"version": 1, "findings": []}')
    limit = no_file_larger_than(100)
    done = jaxref(tmp_path, "check", "--fix", preexec_fn=limit)
    assert done.returncode == 2
    assert done.stderr.count("not written: file too large") == 2
    assert [path.read_text() for path in paths] == [FIXABLE, FIXABLE]
    reported = jaxref(
        tmp_path,
        "check",
        "--output-format",
        "json",
        "--output-file",
        "report.json",
        preexec_fn=limit,
    )
    assert reported.returncode == 2
    assert "--output-file: report.json: file too large" in reported.stderr
    assert (tmp_path / "report.json").read_text() == "the last report"
    known = jaxref(tmp_path, "check", "--write-baseline", "baseline.json", preexec_fn=limit)
    assert known.returncode == 2
    assert "baseline.json: file too large" in known.stderr
    assert json.loads((tmp_path / "baseline.json").read_text())["findings"] == []
    assert names(tmp_path) == ["baseline.json", "m000.py", "m001.py", "report.json"]
    assert not [path for path in surroundings.rglob("*") if path.name.startswith(".new-")]


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    fixable_files(tmp_path, 1)
    done = jaxref(tmp_path, "check", preexec_fn=no_file_larger_than(10))
    assert (done.returncode, done.stderr) == (1, "")
    done = jaxref(tmp_path, "check", "--cache-dir", "/proc/nothing")
    assert (done.returncode, done.stderr) == (1, "")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own, of 64 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def test_fixing_on_a_full_disk(small_disk: Path, fixed: str) -> None:
    paths = fixable_files(small_disk, 2)
    filler = small_disk / "filler"
    with open(filler, "wb", buffering=0) as stream, contextlib.suppress(OSError):
        while True:
            stream.write(b"x" * 512)
    done = jaxref(small_disk, "check", "--fix")
    assert done.returncode == 2
    assert done.stderr.count("not written: no space left on device") == 2
    assert [path.read_text() for path in paths] == [FIXABLE, FIXABLE]
    assert names(small_disk) == ["filler", "m000.py", "m001.py"]
    filler.unlink()
    assert jaxref(small_disk, "check", "--fix").returncode == 0
    assert [path.read_text() for path in paths] == [fixed, fixed]


def bound_by_modes() -> list[str]:
    """What to put before a command so that the modes of files hold for it, though it be root's."""
    if os.geteuid() != 0:
        return []
    dropped = "-dac_override,-dac_read_search"
    before = ["setpriv", f"--bounding-set={dropped}", f"--inh-caps={dropped}"]
    if shutil.which("setpriv") is None or subprocess.run([*before, "true"]).returncode:
        pytest.skip("root may do everything, and setpriv is not there to change that")
    return before


@pytest.fixture
def protected() -> Iterator[Callable[[Path, int], Path]]:
    """Changes the mode of a path until the end of the test."""
    changed: list[tuple[Path, int]] = []

    def protect(path: Path, mode: int) -> Path:
        changed.append((path, path.stat().st_mode & 0o777))
        path.chmod(mode)
        return path

    yield protect
    for path, mode in reversed(changed):
        path.chmod(mode)


def test_fixing_in_a_folder_that_is_read_only(tmp_path: Path, protected, fixed: str) -> None:
    for name in ("free", "locked"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(FIXABLE)
    protected(tmp_path / "locked", 0o555)
    done = jaxref(tmp_path, "check", "--fix", before=bound_by_modes())
    assert done.returncode == 2
    assert "jaxref: error: locked/a.py: not written: permission denied\n" in done.stderr
    assert (tmp_path / "locked" / "a.py").read_text() == FIXABLE
    assert (tmp_path / "free" / "a.py").read_text() == fixed
    assert names(tmp_path / "locked") == ["a.py"]
    assert "locked/a.py" in done.stdout, "what is still there is still reported"


def test_a_file_that_is_read_only_is_not_replaced(tmp_path: Path, protected) -> None:
    (path,) = fixable_files(tmp_path, 1)
    protected(path, 0o444)
    done = jaxref(tmp_path, "check", "--fix", before=bound_by_modes())
    assert done.returncode == 2
    assert "m000.py: not written: permission denied" in done.stderr
    assert path.read_text() == FIXABLE
    assert jaxref(tmp_path, "check", "--diff", before=bound_by_modes()).returncode == 1


def test_what_cannot_be_read_costs_only_itself(tmp_path: Path, protected) -> None:
    for name in ("a/x.py", "b/x.py", "c.py", "d.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(BROKEN)
    protected(tmp_path / "a", 0)
    protected(tmp_path / "b", 0o444)
    protected(tmp_path / "c.py", 0)
    before = bound_by_modes()
    done = jaxref(tmp_path, "check", "--output-format", "concise", before=before)
    assert done.returncode == 2
    assert done.stdout == "d.py:1:5: error[syntax-error] '(' was never closed\n"
    told = {line.removeprefix("jaxref: error: ") for line in done.stderr.splitlines()}
    # `b` may be listed and not entered.
    assert told == {f"{name}: permission denied" for name in ("a", "b/x.py", "c.py")}
    parallel = jaxref(
        tmp_path, "check", "--output-format", "concise", "--no-cache", "-j2", before=before
    )
    assert (parallel.returncode, parallel.stdout) == (2, done.stdout)
    named = jaxref(tmp_path, "check", "a/x.py", before=before)
    assert named.returncode == 2
    assert named.stderr.startswith("jaxref: error: a/x.py: ")


def test_settings_and_ignore_files_that_cannot_be_read(tmp_path: Path, protected) -> None:
    (tmp_path / "a.py").write_text(BROKEN)
    (tmp_path / "jaxref.toml").write_text("")
    (tmp_path / ".gitignore").write_text("")
    (tmp_path / "baseline.json").write_text("")
    for name in ("jaxref.toml", ".gitignore", "baseline.json"):
        protected(tmp_path / name, 0)
    before = bound_by_modes()
    done = jaxref(tmp_path, "check", before=before)
    assert done.returncode == 2
    assert "jaxref.toml:1:1: cannot be read: permission denied" in done.stderr
    assert "a.py:1:5" in done.stdout
    done = jaxref(tmp_path, "check", "--isolated", "--baseline", "baseline.json", before=before)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "baseline.json: permission denied" in done.stderr


# -- interruptions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)],
    ids=["Ctrl-C", "terminated", "killed"],
)
def test_fixing_that_is_interrupted(tmp_path: Path, fixed: str, number: int, code: int) -> None:
    paths = fixable_files(tmp_path, 200)
    process = started(tmp_path, "check", "--fix", "--isolated", "--jax-version", "0.12")
    until(lambda: paths[2].read_text() != FIXABLE, "the third fix")
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert err == ""
    texts = [path.read_text() for path in paths]
    assert set(texts) == {FIXABLE, fixed}, "each file is as it was or as it is to be"
    assert texts == sorted(texts, key=lambda text: text != fixed), "one after the other"
    if number == signal.SIGINT:
        assert names(tmp_path) == [path.name for path in paths], "nothing is left lying about"
        assert out == "" or out.endswith("\n")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_checking_that_is_interrupted(tmp_path: Path, surroundings: Path, jobs: str) -> None:
    fixable_files(tmp_path, 400)
    report = tmp_path / "report.sarif"
    report.write_text("the last report")
    arguments = ["check", "--jobs", jobs, "--output-format", "concise"]
    process = started(tmp_path, *arguments)
    assert process.stdout is not None
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "")
    assert out == "" or out.endswith("\n"), "no half lines"
    until(lambda: group_is_gone(process.pid), "the end of its processes")
    assert not list(surroundings.rglob(".new-*"))
    assert report.read_text() == "the last report"


def test_an_output_file_stays_when_the_run_is_interrupted(
    tmp_path: Path, surroundings: Path
) -> None:
    fixable_files(tmp_path, 400)
    report = tmp_path / "report.sarif"
    report.write_text("the last report")
    arguments = ["check", "-j1", "--output-format", "sarif", "--output-file", "report.sarif", "-v"]
    fifo = tmp_path / "a.fifo"
    os.mkfifo(fifo)
    process = started(tmp_path, *arguments, str(fifo), ".")
    # It reads the fifo first, and waits there until it is interrupted.
    handle = os.open(fifo, os.O_WRONLY)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    os.close(handle)
    assert (process.returncode, err) == (130, "")
    assert report.read_text() == "the last report"
    assert "a.fifo" in names(tmp_path)


def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    fixable_files(tmp_path, 300)
    process = started(
        tmp_path,
        "check",
        "-j2",
        "--no-cache",
        "--output-format",
        "concise",
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.kill()
    process.wait(PATIENCE)
    process.stdout.close()
    until(lambda: group_is_gone(process.pid), "the end of its processes")


# -- several at once, and many ---------------------------------------------------------------------


def test_two_runs_fix_at_once(tmp_path: Path, fixed: str) -> None:
    paths = fixable_files(tmp_path, 60)
    arguments = ["check", "--fix", "--isolated", "--jax-version", "0.12"]
    runs = [started(tmp_path, *arguments) for _ in range(2)]
    said = [run.communicate(timeout=PATIENCE) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    assert [err for _, err in said] == ["", ""]
    assert {path.read_text() for path in paths} == {fixed}
    assert names(tmp_path) == [path.name for path in paths]


def test_runs_that_share_what_is_kept(tmp_path: Path, surroundings: Path) -> None:
    for index in range(10):
        folder = tmp_path / f"d{index}"
        folder.mkdir()
        fixable_files(folder, 5)
        (folder / "broken.py").write_text(BROKEN)
    arguments = ["check", "--output-format", "json"]
    alone = jaxref(tmp_path, *arguments, "--no-cache")
    runs = [started(tmp_path, *arguments) for _ in range(4)]
    said = [run.communicate(timeout=PATIENCE) for run in runs]
    assert said == [(alone.stdout, "")] * 4
    again = jaxref(tmp_path, *arguments, "--verbose")
    assert again.stdout == alone.stdout
    assert "checked 60 files, 60 as before" in again.stderr
    assert not list(surroundings.rglob(".new-*"))


def test_baselines_written_at_once(tmp_path: Path) -> None:
    fixable_files(tmp_path, 20)
    arguments = ["check", "--write-baseline", "baseline.json", "--quiet"]
    runs = [started(tmp_path, *arguments) for _ in range(3)]
    said = [run.communicate(timeout=PATIENCE) for run in runs]
    assert [(run.returncode, one) for run, one in zip(runs, said, strict=True)] == [
        (0, ("", ""))
    ] * 3
    known = json.loads((tmp_path / "baseline.json").read_text())["findings"]
    assert [one["path"] for one in known] == [f"m{index:03}.py" for index in range(20)]
    assert len(names(tmp_path)) == 21
    assert jaxref(tmp_path, "check", "--baseline", "baseline.json").returncode == 0


def test_ten_thousand_files(tmp_path: Path) -> None:
    plain = "import os\n\n\ndef double(x):\n    return 2 * x\n"
    for index in range(100):
        folder = tmp_path / f"d{index:02}"
        folder.mkdir()
        for number in range(100):
            (folder / f"m{number:02}.py").write_text(FIXABLE if number == index else plain)
    arguments = ["check", "--no-cache", "--output-format", "concise"]
    alone = jaxref(tmp_path, *arguments, "--jobs", "1")
    lines = alone.stdout.splitlines()
    assert (alone.returncode, alone.stderr, len(lines)) == (1, "", 100)
    assert [line.split(":")[0] for line in lines] == [f"d{n:02}/m{n:02}.py" for n in range(100)]
    together = jaxref(tmp_path, *arguments, "--jobs", "3", "--verbose")
    assert (together.returncode, together.stdout) == (1, alone.stdout)
    assert together.stderr.startswith("jaxref: checked 10000 files in ")


# -- watching --------------------------------------------------------------------------------------


class Watched:
    """A run with `--watch`, and what it has said so far."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.log = folder.parent / "said"
        self._stream = open(self.log, "w")  # noqa: SIM115
        self.process = started(
            folder,
            "check",
            "--watch",
            "--output-format",
            "concise",
            *arguments,
            stdout=self._stream,
            stderr=subprocess.STDOUT,
        )
        self._seen = 0

    def next(self) -> list[str]:
        """What is found, each time something has changed."""

        def said() -> str:
            return self.log.read_text()[self._seen :]

        until(lambda: "watching for changes" in said(), "the next check")
        text = said()
        self._seen += len(text)
        return [line.split(": ")[0] for line in text.splitlines() if not line.startswith("jaxref:")]

    def end(self) -> int:
        """Ctrl-C."""
        os.killpg(self.process.pid, signal.SIGINT)
        code = self.process.wait(PATIENCE)
        self._stream.close()
        return code


def test_watching(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text(BROKEN)
    watched = Watched(folder)
    try:
        assert watched.next() == ["a.py:1:5"]
        (folder / "b.py").write_text("x = 1\n" + BROKEN)
        assert watched.next() == ["a.py:1:5", "b.py:2:5"], "a new file"
        (folder / "b.py").rename(folder / "c.py")
        assert watched.next() == ["a.py:1:5", "c.py:2:5"], "renamed"
        (folder / "a.py").unlink()
        assert watched.next() == ["c.py:2:5"], "removed"
        (folder / "jaxref.toml").write_text('ignore = ["syntax-error"]\n')
        assert watched.next() == [], "settings made"
        (folder / "jaxref.toml").write_text("")
        assert watched.next() == ["c.py:2:5"], "settings changed"
        (folder / ".gitignore").write_text("c.py\n")
        (folder / ".git").mkdir()
        assert watched.next() == [], "ignored from now on"
        (folder / ".gitignore").unlink()
        assert watched.next() == ["c.py:2:5"], "and no more"
        (folder / "c.py").write_text(USES)
        assert watched.next() == [], "another text"
        (folder / "lib").mkdir()
        (folder / "lib" / "made.py").write_text(MADE)
        (folder / ".gitignore").write_text("lib/\n")
        assert watched.next() == ["c.py:7:12"], "a module that is not checked itself is there now"
        (folder / "lib" / "made.py").write_text(MADE.replace("jax.new_ref(x)", "x"))
        assert watched.next() == [], "it has changed"
        (folder / "c.py").unlink()
        assert watched.next() == [], "nothing left"
        assert watched.process.poll() is None
    finally:
        code = watched.end()
    assert code == 130
    assert "Traceback" not in watched.log.read_text()
