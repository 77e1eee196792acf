"""Runs the code of the corpus in the library's own sandbox, so that every result in it is one that a turn would have shown."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from questions import Question, Step

from agentloop_widgets.tools import SandboxSession


class Sandbox:
    """One session for all questions that work, and one of its own for each that fails: a traceback then is the one that a turn would show."""

    def __init__(self):
        self.place = tempfile.TemporaryDirectory(prefix="agentloop-corpus-")
        self.shared = {False: SandboxSession(), True: SandboxSession(Path(self.place.name))}

    def write(self, files: Mapping[str, str]) -> Path | None:
        """The folder with these files alone in it; None where there are none."""
        folder = Path(self.place.name)
        for path in folder.iterdir():
            path.unlink()
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return folder if files else None

    def run(self, question: Question) -> list[tuple[Step, str]]:
        """The steps of `question`, each with what the model would read of its result."""
        folder = self.write(question.files) if question.files else None
        done = self.steps(question, self.shared[folder is not None], may_fail=False)
        if done is None:
            session = SandboxSession(folder)
            done = self.steps(question, session, may_fail=True)
            session.close()
        return done

    def steps(self, question: Question, session: SandboxSession, may_fail: bool):
        """The steps and their results; None where one fails that may not, before a repair could leave its import in the session."""
        done: list[tuple[Step, str]] = []
        for step in question.steps:
            step = step if isinstance(step, Step) else step(done[-1][1])
            result = session.run({"code": step.code})
            if result.error is not None and not may_fail:
                return None
            done.append((step, result.text))
        return done
