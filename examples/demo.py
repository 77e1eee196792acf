"""One whole turn on the embedded model: its text twin here, its page in a file.

python demo.py [PAGE] [QUESTION]"""

import sys
from pathlib import Path

from agentloop_widgets import Sampling, Turn, load_backend

QUESTION = "A box holds 12 eggs. How many eggs are in 7 boxes?"


def main(page: str = "build/turn.html", question: str = QUESTION) -> None:
    sampling = Sampling(temperature=1.0, top_p=0.95, top_k=20, seed=13)
    turn = Turn(load_backend("embedded"), question, sampling=sampling)
    turn.run()
    print(turn.to_text())
    print(f"\nThe page: {Path(turn.to_html(page)).resolve()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
