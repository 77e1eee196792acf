"""The grammar of questions: each kind gives a question, the thought before the call, the code, and how the answer states the result.

A kind is a method of Questions; `KINDS` says how often each is asked. Nothing here runs code: corpus.py does, with the library's own sandbox."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from words import CONTAINERS, NAMES, THINGS, UNITS, word

OPERATIONS = {
    "+": ("plus", "add {a} and {b}"),
    "-": ("minus", "subtract {b} from {a}"),
    "*": ("times", "multiply {a} by {b}"),
    "/": ("divided by", "divide {a} by {b}"),
}
IMPORTED = {
    "sqrt": (
        "the square root of {0}",
        "print(round(sqrt({0}), 3))",
        "The square root of {0} is {r}.",
    ),
    "factorial": ("the factorial of {0}", "print(factorial({0}))", "The factorial of {0} is {r}."),
    "gcd": (
        "the greatest common divisor of {0} and {1}",
        "print(gcd({0}, {1}))",
        "The greatest common divisor of {0} and {1} is {r}.",
    ),
    "lcm": (
        "the least common multiple of {0} and {1}",
        "print(lcm({0}, {1}))",
        "The least common multiple of {0} and {1} is {r}.",
    ),
}


@dataclass(frozen=True)
class Question:
    """kind; text: what the user asks; thought: before the call; code: what to run (None: answer at once);
    answer(result): the sentence that states it; name: a function of `math` that the code needs and first lacks."""

    kind: str
    text: str
    thought: str
    code: str | None
    answer: Callable[[str], str]
    name: str | None = None


class Questions:
    """Draws questions from a seed. `words`: the dictionary words that may be asked about."""

    def __init__(self, seed: int, words: list[str]):
        self.random = random.Random(seed)
        self.words = words

    def pick(self, *options):
        return self.random.choice(options)

    def number(self, low: int = 1, high: int = 4) -> int:
        digits = min(max(self.random.choices([1, 2, 3, 4], [0.25, 0.4, 0.25, 0.1])[0], low), high)
        return self.random.randint(1 if digits == 1 else 10 ** (digits - 1), 10**digits - 1)

    def numbers(self) -> list[int]:
        digits = self.random.choices([1, 2, 3], [0.3, 0.5, 0.2])[0]
        return [
            self.random.randint(1, 10**digits - 1)
            for _ in range(self.random.choices([2, 3, 4, 5, 6], [0.08, 0.37, 0.3, 0.15, 0.1])[0])
        ]

    def listed(self, numbers: list[int]) -> str:
        """The numbers as people write them: 3, 1, 2 · 3, 1 and 2 · 3 1 2 · [3, 1, 2]."""
        texts = [str(number) for number in numbers]
        style = self.random.random()
        if style < 0.3 and len(texts) > 1:
            return ", ".join(texts[:-1]) + " and " + texts[-1]
        if style < 0.4:
            return " ".join(texts)
        return str(numbers) if style < 0.55 else ", ".join(texts)

    def asked(self, thing: str) -> str:
        """A question for `thing`, as in «What is {thing}?»."""
        return self.pick(
            "What is {}?",
            "What's {}?",
            "Calculate {}.",
            "Compute {}",
            "Find {}.",
            "Work out {}.",
            "Tell me {}.",
            "Can you find {}?",
            "How much is {}?",
            "{}?",
        ).format(thing)

    def question(self, kind: str | None = None) -> Question:
        kind = kind or self.random.choices(list(KINDS), list(KINDS.values()))[0]
        made = getattr(self, kind)()
        return Question(kind, self.worn(made.text), made.thought, made.code, made.answer, made.name)

    def worn(self, text: str) -> str:
        """The question as a hurried person types it: sometimes no capital, no full stop, a please."""
        if self.random.random() < 0.15:
            text = text[0].lower() + text[1:]
        if self.random.random() < 0.12:
            text = text.rstrip(".?!")
        if self.random.random() < 0.05:
            text = self.pick("Please ", "Please: ", "Hi, ", "OK, ") + text[0].lower() + text[1:]
        return text

    def made(
        self,
        text: str,
        thought: str,
        code: str | None,
        answer: Callable[[str], str] | str,
        name: str | None = None,
    ) -> Question:
        template = answer if isinstance(answer, str) else None
        return Question(
            "",
            text,
            thought,
            code,
            (lambda result: template.replace("{r}", result)) if template else answer,
            name,
        )

    # ------------------------------------------------------------------ numbers
    def arithmetic(self) -> Question:
        sign = self.pick("+", "-", "*", "*", "+", "/")
        a, b = (
            (self.number(1, 3), self.number(1, 3))
            if sign == "*"
            else (self.number(), self.number())
        )
        if sign in "+-" and self.random.random() < 0.12:
            a, b = self.random.randint(10**4, 10**6 - 1), self.number()
        if sign == "-" and a < b and self.random.random() < 0.8:
            a, b = b, a
        spoken, verb = OPERATIONS[sign]
        verb = verb.format(a=a, b=b)
        written = f"{a} {sign} {b}" if self.random.random() < 0.75 else f"{a}{sign}{b}"
        if sign == "*" and self.random.random() < 0.2:
            written = f"{a} {self.pick('x', '×')} {b}"
        if sign == "/" and self.random.random() < 0.15:
            written = f"{a} ÷ {b}"
        text = self.pick(
            self.asked(written),
            self.asked(f"{a} {spoken} {b}"),
            self.asked(written),
            f"{written} = ?",
            f"{verb[0].upper()}{verb[1:]}.",
            f"Can you {verb}?",
        )
        thought = self.pick(
            f"I need to {verb}.",
            f"I have to {verb}. A tool does this exactly.",
            f"The user wants me to {verb}.",
            f"Let me {verb} with Python.",
        )
        if sign == "/":
            return self.made(
                text,
                thought,
                f"print(round({a} / {b}, 2))",
                self.pick(
                    f"{a} / {b} is about {{r}}.",
                    f"{a} divided by {b} is about {{r}}.",
                    "It is about {r}.",
                ),
            )
        return self.made(
            text,
            thought,
            f"print({a} {sign} {b})",
            self.pick(
                f"{a} {sign} {b} = {{r}}.", f"{a} {spoken} {b} is {{r}}.", "The result is {r}."
            ),
        )

    def expression(self) -> Question:
        a, b, c = (self.number(1, 2) for _ in range(3))
        e = self.pick(
            f"{a} + {b} * {c}",
            f"({a} + {b}) * {c}",
            f"{a} * ({b} - {c})",
            f"{a} + {b} + {c}",
            f"{a} * {b} - {c}",
            f"{a} - {b} - {c}",
            f"({a} - {b}) * {c}",
        )
        thought = self.pick(
            "I will work out the expression with a tool.",
            "This has several operations. I will use Python.",
            "Python knows the order of operations.",
        )
        return self.made(
            self.asked(e), thought, f"print({e})", self.pick(f"{e} = {{r}}.", "The result is {r}.")
        )

    def power(self) -> Question:
        kind, a = self.random.randint(0, 3), self.number(1, 3)
        if kind == 0:
            return self.made(
                self.asked(self.pick(f"{a} squared", f"the square of {a}")),
                f"Squared means {a} times {a}.",
                f"print({a} ** 2)",
                f"{a} squared is {{r}}.",
            )
        if kind == 1:
            a = self.number(1, 2)
            return self.made(
                self.asked(self.pick(f"{a} cubed", f"the cube of {a}")),
                f"Cubed means {a} to the power 3.",
                f"print({a} ** 3)",
                f"{a} cubed is {{r}}.",
            )
        if kind == 2:
            a, b = self.random.randint(2, 20), self.random.randint(2, 9)
            text = self.asked(
                self.pick(
                    f"{a} to the power {b}", f"{a} to the power of {b}", f"{a} ** {b}", f"{a}^{b}"
                )
            )
            return self.made(
                text,
                f"I need {a} to the power {b}.",
                f"print({a} ** {b})",
                f"{a} to the power {b} is {{r}}.",
            )
        a, b = self.number(2, 3), self.number(1, 2)
        text = self.pick(
            f"What is the remainder of {a} divided by {b}?",
            f"What remains when {a} is divided by {b}?",
            self.asked(f"{a} modulo {b}"),
        )
        return self.made(
            text,
            self.pick("The remainder is the modulo.", f"I need {a} modulo {b}."),
            f"print({a} % {b})",
            "The remainder is {r}.",
        )

    def percent(self) -> Question:
        p, a = self.random.randint(1, 99), self.number(2, 4)
        text = self.asked(self.pick(f"{p}% of {a}", f"{p} percent of {a}"))
        return self.made(
            text,
            self.pick(f"I take {p} hundredths of {a}.", f"{p} percent means {p} / 100."),
            f"print(round({a} * {p} / 100, 2))",
            f"{p}% of {a} is {{r}}.",
        )

    def parity(self) -> Question:
        a, name = self.number(), self.pick("even", "odd")
        article = "an"
        text = self.pick(
            f"Is {a} {name}?", f"Is {a} {article} {name} number?", f"Is the number {a} {name}?"
        )
        rest = 0 if name == "even" else 1
        return self.made(
            text,
            f"{a} is {name} if {a} % 2 is {rest}.",
            f"print({a} % 2 == {rest})",
            lambda r: f"Yes, {a} is {name}." if r == "True" else f"No, {a} is not {name}.",
        )

    def compare(self) -> Question:
        a, b = self.number(), self.number()
        name, function = self.pick(("larger", "max"), ("smaller", "min"), ("bigger", "max"))
        text = self.pick(
            f"Which is {name}, {a} or {b}?",
            f"Which number is {name}: {a} or {b}?",
            f"What is {name}, {a} or {b}?",
        )
        thought = self.pick(
            f"I need the {name} one, so {function}.",
            f"The {name} of two numbers is their {function}.",
        )
        return self.made(text, thought, f"print({function}({a}, {b}))", f"{{r}} is {name}.")

    # ------------------------------------------------------------------ stories
    def containers(self) -> Question:
        a, b, thing = self.number(1, 2), self.number(1, 3), self.pick(*THINGS)
        one, many = self.pick(*CONTAINERS)
        text = self.pick(
            f"A {one} holds {a} {thing}; how many in {b} {many}?", f"A {one} holds {a} {thing}. How many {thing} are in {b} {many}?", f"One {one} holds {a} {thing}. How many {thing} are in {b} {many}?",
            f"There are {a} {thing} in each {one}. How many {thing} are in {b} {many}?", f"How many {thing} are in {b} {many} of {a}?", f"{b} {many} with {a} {thing} each: how many {thing}?",
        )  # fmt: skip
        thought = self.pick(
            f"{b} {many} with {a} {thing} each: multiply.",
            f"Each {one} has {a} {thing}, so I multiply {b} by {a}.",
            f"I multiply {b} by {a}.",
        )
        return self.made(
            text,
            thought,
            f"print({b} * {a})",
            self.pick(f"There are {{r}} {thing} in {b} {many}.", f"{b} {many} hold {{r}} {thing}."),
        )

    def story(self) -> Question:
        name, thing, a, b = (
            self.pick(*NAMES),
            self.pick(*THINGS),
            self.number(1, 3),
            self.number(1, 3),
        )
        if self.random.random() < 0.5:
            verb = self.pick("buys", "gets", "finds", "wins")
            text = self.pick(
                f"{name} has {a} {thing} and {verb} {b} more. How many {thing} does {name} have?",
                f"{name} has {a} {thing}. {name} {verb} {b} more. How many {thing} now?",
            )
            return self.made(
                text,
                f"{name} starts with {a} and {verb} {b}: add.",
                f"print({a} + {b})",
                self.pick(f"{name} has {{r}} {thing}.", f"{name} now has {{r}} {thing}."),
            )
        a, b = max(a, b), min(a, b)
        verb = self.pick("loses", "sells", "eats", "gives away")
        text = self.pick(
            f"{name} has {a} {thing} and {verb} {b}. How many {thing} are left?",
            f"{name} has {a} {thing}. {name} {verb} {b} of them. How many {thing} are left?",
        )
        return self.made(
            text,
            f"{name} starts with {a} and {verb} {b}: subtract.",
            f"print({a} - {b})",
            self.pick(f"{name} has {{r}} {thing} left.", f"{{r}} {thing} are left."),
        )

    def share(self) -> Question:
        b = self.random.randint(2, 30)
        a, thing, people = (
            b * self.random.randint(2, 60),
            self.pick(*THINGS),
            self.pick("children", "friends", "people", "students"),
        )
        text = self.pick(
            f"Share {a} {thing} among {b} {people}. How many does each get?",
            f"{a} {thing} are shared among {b} {people}. How many {thing} does each get?",
        )
        return self.made(
            text,
            self.pick(f"I share {a} among {b}: divide.", f"I divide {a} by {b}."),
            f"print({a} // {b})",
            f"Each gets {{r}} {thing}.",
        )

    def price(self) -> Question:
        a, b, thing, money = (
            self.random.randint(2, 60),
            self.random.randint(2, 99),
            self.pick(*THINGS),
            self.pick("euros", "dollars", "cents"),
        )
        text = self.pick(
            f"{a} {thing} cost {b} {money} each. What is the total?",
            f"What do {a} {thing} cost at {b} {money} each?",
            f"How much are {a} {thing} at {b} {money} each?",
        )
        return self.made(
            text,
            self.pick(f"{a} {thing} at {b} {money}: multiply.", f"I multiply {a} by {b}."),
            f"print({a} * {b})",
            self.pick(f"The total is {{r}} {money}.", f"They cost {{r}} {money}."),
        )

    def unit(self) -> Question:
        large, small, factor = self.pick(*UNITS)
        a = (
            f"{self.random.randint(1, 99)}.{self.random.randint(1, 9)}"
            if self.random.random() < 0.2
            else str(self.number(1, 3))
        )
        text = self.pick(
            f"Convert {a} {large} to {small}.",
            f"How many {small} are in {a} {large}?",
            f"How many {small} is {a} {large}?",
            f"{a} {large} in {small}?",
            f"What is {a} {large} in {small}?",
        )
        code = f"print(round({a} * {factor}, 2))" if "." in a else f"print({a} * {factor})"
        return self.made(
            text,
            self.pick(
                f"1 of {large} is {factor} {small}, so I multiply.", f"I multiply {a} by {factor}."
            ),
            code,
            self.pick(f"{a} {large} is {{r}} {small}.", f"{a} {large} are {{r}} {small}."),
        )

    # ------------------------------------------------------------------ lists
    def sort(self) -> Question:
        numbers = self.numbers()
        shown = self.listed(numbers)
        if self.random.random() < 0.7:
            text = self.pick(
                f"Sort {shown}",
                f"Sort {shown}.",
                f"Sort these numbers: {shown}",
                f"Put {shown} in order.",
                f"Sort the list {numbers}.",
                f"Can you sort {shown}?",
                f"Order {shown} from smallest to largest.",
            )
            return self.made(
                text,
                self.pick("I will sort the list with Python.", "sorted puts a list in order."),
                f"print(sorted({numbers}))",
                lambda r: f"Sorted: {r[1:-1]}.",
            )
        text = self.pick(
            f"Sort {shown} from largest to smallest.",
            f"Sort {shown} in descending order.",
            f"Sort {shown} in reverse order.",
        )
        return self.made(
            text,
            self.pick("I will sort the list in reverse.", "Largest first: sorted with reverse."),
            f"print(sorted({numbers}, reverse=True))",
            lambda r: f"Sorted: {r[1:-1]}.",
        )

    def aggregate(self) -> Question:
        numbers = self.numbers()
        shown = self.listed(numbers)
        names = (
            ("largest", "max"),
            ("biggest", "max"),
            ("maximum", "max"),
            ("smallest", "min"),
            ("minimum", "min"),
            ("sum", "sum"),
            ("sum", "sum"),
            ("total", "sum"),
            ("average", "mean"),
            ("mean", "mean"),
        )
        name, function = self.pick(*names)
        thing = (
            f"the {name} of {shown}"
            if function in ("sum", "mean") or self.random.random() < 0.7
            else f"the {name} number in {shown}"
        )
        text = self.pick(
            self.asked(thing),
            f"Find the {name} of {shown}.",
            f"Give me the {name} of the list {numbers}.",
            f"Add up {shown}." if function == "sum" else self.asked(thing),
        )
        if function == "mean":
            return self.made(
                text,
                self.pick(
                    f"The {name} is the sum divided by how many there are.",
                    "I add them and divide by the count.",
                ),
                f"x = {numbers}\nprint(round(sum(x) / len(x), 2))",
                f"The {name} is {{r}}.",
            )
        return self.made(
            text,
            self.pick(f"The {name} of a list: {function}.", f"{function} gives the {name}."),
            f"print({function}({numbers}))",
            f"The {name} is {{r}}.",
        )

    def reverse(self) -> Question:
        numbers = self.numbers()
        text = self.pick(
            f"Reverse the list {numbers}.",
            f"Reverse {self.listed(numbers)}.",
            f"Turn the list {self.listed(numbers)} around.",
        )
        return self.made(
            text,
            self.pick(
                "I will reverse the list with a slice.", "A slice with step -1 reverses a list."
            ),
            f"print({numbers}[::-1])",
            lambda r: f"Reversed: {r[1:-1]}.",
        )

    # ------------------------------------------------------------------ words
    def letters(self) -> Question:
        w = word(self.random, self.words)
        quoted = self.pick(f"'{w}'", f"'{w}'", f'"{w}"', w)
        return self.pick(
            self.length,
            self.length,
            self.count,
            self.count,
            self.backwards,
            self.capitals,
            self.palindrome,
        )(w, quoted)

    def length(self, w: str, quoted: str) -> Question:
        text = self.pick(
            f"How many letters in {quoted}?",
            f"How many letters are in {quoted}?",
            f"How long is the word {quoted}?",
            f"Count the letters in {quoted}.",
            f"How many letters does {quoted} have?",
        )
        return self.made(
            text,
            self.pick("len counts the letters.", "I will count with len."),
            f"print(len('{w}'))",
            self.pick(f"'{w}' has {{r}} letters.", f"There are {{r}} letters in '{w}'."),
        )

    def count(self, w: str, quoted: str) -> Question:
        x = (
            self.random.choice(w)
            if self.random.random() < 0.8
            else self.random.choice("abcdefghijklmnopqrstuvwxyz")
        )
        shown = self.pick(f"'{x}'", f"'{x}'", x)
        text = self.pick(
            f"How many times does {shown} occur in {quoted}?", f"How many {shown} are in {quoted}?", f"Count the letter {shown} in {quoted}.", f"How many {x}'s are in {quoted}?", f"How many {shown} are there in {quoted}?",
            f"How often is {shown} in {quoted}?", f"How many {x} in {quoted}?",
        )  # fmt: skip
        return self.made(
            text,
            self.pick(f"count finds '{x}' in the word.", f"I will count '{x}'."),
            f"print('{w}'.count('{x}'))",
            self.pick(
                f"The letter '{x}' occurs {{r}} times in '{w}'.", f"'{w}' has {{r}} of '{x}'."
            ),
        )

    def backwards(self, w: str, quoted: str) -> Question:
        text = self.pick(
            f"Reverse {quoted}",
            f"Reverse the word {quoted}.",
            f"Spell {quoted} backwards.",
            f"Write {quoted} backwards.",
        )
        return self.made(
            text,
            "A slice with step -1 reverses a word.",
            f"print('{w}'[::-1])",
            self.pick(f"'{w}' reversed is '{{r}}'.", "Backwards it is '{r}'."),
        )

    def capitals(self, w: str, quoted: str) -> Question:
        text = self.pick(
            f"Write {quoted} in capitals.",
            f"Make {quoted} upper case.",
            f"Put {quoted} in capital letters.",
        )
        return self.made(text, "upper makes capitals.", f"print('{w}'.upper())", "{r}")

    def palindrome(self, w: str, quoted: str) -> Question:
        if self.random.random() < 0.4:
            w = (
                (w[:3] + w[:3][::-1])[: self.pick(5, 6)]
                if self.random.random() < 0.3
                else w[:3] + w[:2][::-1]
            )
            quoted = f"'{w}'"
        text = self.pick(f"Is {quoted} a palindrome?", f"Is the word {quoted} a palindrome?")
        return self.made(
            text,
            "A palindrome equals its reverse.",
            f"print('{w}' == '{w}'[::-1])",
            lambda r: (
                f"Yes, '{w}' is a palindrome." if r == "True" else f"No, '{w}' is not a palindrome."
            ),
        )

    # ------------------------------------------------------------------ errors
    def imported(self) -> Question:
        """A function used before its import: a genuine NameError, and its repair."""
        name = self.pick("sqrt", "sqrt", "factorial", "gcd", "lcm")
        if name == "sqrt":
            values = [
                self.random.randint(2, 99) ** 2 if self.random.random() < 0.6 else self.number()
            ]
        else:
            values = (
                [self.random.randint(2, 15)]
                if name == "factorial"
                else [self.number(1, 3), self.number(1, 3)]
            )
        asked, code, answer = (
            part.replace("{0}", str(values[0])).replace("{1}", str(values[-1]))
            for part in IMPORTED[name]
        )
        short = {
            "factorial": f"{values[0]}!",
            "gcd": f"the gcd of {values[0]} and {values[-1]}",
            "lcm": f"the lcm of {values[0]} and {values[-1]}",
        }.get(name, asked)
        return self.made(
            self.asked(self.pick(asked, asked, short)),
            self.pick(f"I need {name}.", f"{name} gives this."),
            code,
            answer,
            name,
        )

    def zero(self) -> Question:
        a = self.number()
        return self.made(
            self.pick(self.asked(f"{a} / 0"), self.asked(f"{a} divided by 0"), f"Divide {a} by 0."),
            f"I have to divide {a} by 0.",
            f"print({a} / 0)",
            f"{a} cannot be divided by 0.",
        )

    # ------------------------------------------------------------------ no tool
    def direct(self) -> Question:
        texts, thought, answers = self.pick(*DIRECT)
        return self.made(self.pick(*texts), thought, None, self.pick(*answers))


DIRECT = [
    (("Hello", "Hi", "Hello!", "Hi there", "Hey", "Good morning", "Good evening"), "The user greets me. No tool is needed.", ("Hello! Ask me about numbers, words or lists.", "Hi! What shall I work out?")),
    (("Thanks", "Thank you", "Thanks!", "Thank you very much", "Great, thanks"), "The user thanks me. No tool is needed.", ("You are welcome!", "You are welcome. Ask me more!")),
    (("Bye", "Goodbye", "See you", "Bye!"), "The user says goodbye. No tool is needed.", ("Goodbye!", "Goodbye! Come back soon.")),
    (("Who are you?", "What are you?", "What is your name?", "Are you a robot?"), "The user asks about me. No tool is needed.", ("I am a tiny language model that can run Python.",)),
    (("What can you do?", "How can you help me?", "Help"), "The user asks what I can do. No tool is needed.", ("I can calculate, sort lists, convert units and count letters, with the help of Python.",)),
    (("What tools do you have?", "Which tools can you use?"), "The user asks about my tools. No tool is needed.", ("I have run_python.",)),
    (("How are you?", "How are you today?"), "The user is friendly. No tool is needed.", ("I am fine, thank you. What shall I work out?",)),
    (
        ("What is the capital of France?", "Who wrote Hamlet?", "Tell me a joke", "What is the weather?", "What is the weather in Paris?", "Write a poem", "Who is the president?", "When did the war end?", "Translate hello to French.",
         "Tell me a story.", "What is the news?", "Who is the king of Spain?", "What is love?", "Recommend a book."),
        "This is outside my domain. No tool can help.",
        ("I only know numbers, words and lists.", "I do not know that. I only know numbers, words and lists."),
    ),
]  # fmt: skip

KINDS = {
    "arithmetic": 22, "expression": 6, "power": 5, "percent": 4, "parity": 3, "compare": 5, "containers": 9, "story": 7, "share": 3, "price": 4, "unit": 7,
    "sort": 7, "aggregate": 10, "reverse": 3, "letters": 28, "imported": 7, "zero": 1, "direct": 8,
}  # fmt: skip
