"""Questions told as small stories, each of one call. measures.py goes on with them."""

from words import CONTAINERS, MONEY, NAMES, PEOPLE, THINGS

from .base import Dice, Question, one


def containers(dice: Dice) -> Question:
    """How many things several containers hold."""
    a, b, thing = dice.number(1, 2), dice.number(1, 3), dice.pick(*THINGS)
    container, many = dice.pick(*CONTAINERS)
    text = dice.pick(
        f"A {container} holds {a} {thing}; how many in {b} {many}?",
        f"A {container} holds {a} {thing}. How many {thing} are in {b} {many}?",
        f"One {container} holds {a} {thing}. How many {thing} are in {b} {many}?",
        f"There are {a} {thing} in each {container}. How many {thing} are in {b} {many}?",
        f"How many {thing} are in {b} {many} of {a}?",
        f"{b} {many} with {a} {thing} each: how many {thing}?",
        f"Each {container} has {a} {thing}. I have {b} {many}. How many {thing} is that?",
        f"If a {container} holds {a} {thing}, how many {thing} do {b} {many} hold?",
    )
    thought = dice.pick(
        f"{b} {many} with {a} {thing} each: multiply.",
        f"Each {container} has {a} {thing}, so I multiply {b} by {a}.",
        f"I multiply {b} by {a}.",
        f"{a} {thing}, {b} times.",
    )
    code = f"print({b} * {a})"
    answer = dice.pick(
        f"There are {{r}} {thing} in {b} {many}.",
        f"{b} {many} hold {{r}} {thing}.",
        f"That makes {{r}} {thing}.",
    )
    return one(text, thought, code, answer)


def gain(dice: Dice) -> Question:
    """Someone has things and gets more."""
    name, thing = dice.pick(*NAMES), dice.pick(*THINGS)
    a, b = dice.number(1, 3), dice.number(1, 3)
    verb = dice.pick("buys", "gets", "finds", "wins", "receives", "picks")
    text = dice.pick(
        f"{name} has {a} {thing} and {verb} {b} more. How many {thing} does {name} have?",
        f"{name} has {a} {thing}. {name} {verb} {b} more. How many {thing} now?",
        f"{name} had {a} {thing}, then {verb} {b} more. How many are there now?",
        f"If {name} has {a} {thing} and {verb} {b} more, how many is that?",
    )
    thought = dice.pick(
        f"{name} starts with {a} and {verb} {b}: add.", f"{b} more than {a}: I add."
    )
    code = f"print({a} + {b})"
    answer = dice.pick(
        f"{name} has {{r}} {thing}.", f"{name} now has {{r}} {thing}.", f"That is {{r}} {thing}."
    )
    return one(text, thought, code, answer)


def loss(dice: Dice) -> Question:
    """Someone has things and loses some."""
    name, thing = dice.pick(*NAMES), dice.pick(*THINGS)
    b, a = sorted((dice.number(1, 3), dice.number(1, 3)))
    verb = dice.pick("loses", "sells", "eats", "gives away", "breaks", "uses")
    text = dice.pick(
        f"{name} has {a} {thing} and {verb} {b}. How many {thing} are left?",
        f"{name} has {a} {thing}. {name} {verb} {b} of them. How many {thing} are left?",
        f"{name} had {a} {thing} and {verb} {b}. What is left?",
        f"If {name} has {a} {thing} and {verb} {b}, how many remain?",
    )
    thought = dice.pick(
        f"{name} starts with {a} and {verb} {b}: subtract.", f"{b} fewer than {a}: I subtract."
    )
    code = f"print({a} - {b})"
    answer = dice.pick(f"{name} has {{r}} {thing} left.", f"{{r}} {thing} are left.")
    return one(text, thought, code, answer)


def share(dice: Dice) -> Question:
    """Things shared equally, without a remainder."""
    b, thing, people = dice.between(2, 30), dice.pick(*THINGS), dice.pick(*PEOPLE)
    a = b * dice.between(2, 60)
    text = dice.pick(
        f"Share {a} {thing} among {b} {people}. How many does each get?",
        f"{a} {thing} are shared among {b} {people}. How many {thing} does each get?",
        f"{b} {people} share {a} {thing} equally. How many {thing} each?",
        f"Split {a} {thing} between {b} {people}.",
    )
    thought = dice.pick(
        f"I share {a} among {b}: divide.",
        f"I divide {a} by {b}.",
        "Equal shares: a whole division.",
    )
    code = f"print({a} // {b})"
    answer = dice.pick(f"Each gets {{r}} {thing}.", f"{{r}} {thing} for each.")
    return one(text, thought, code, answer)


def price(dice: Dice) -> Question:
    a, b = dice.between(2, 60), dice.between(2, 99)
    thing, money = dice.pick(*THINGS), dice.pick(*MONEY)
    text = dice.pick(
        f"{a} {thing} cost {b} {money} each. What is the total?",
        f"What do {a} {thing} cost at {b} {money} each?",
        f"How much are {a} {thing} at {b} {money} each?",
        f"I buy {a} {thing} for {b} {money} each. What do I pay?",
        f"How much do I pay for {a} {thing} if each costs {b} {money}?",
    )
    thought = dice.pick(
        f"{a} {thing} at {b} {money}: multiply.",
        f"I multiply {a} by {b}.",
        f"{b} {money} for each of {a} {thing}.",
    )
    code = f"print({a} * {b})"
    answer = dice.pick(
        f"The total is {{r}} {money}.", f"They cost {{r}} {money}.", f"You pay {{r}} {money}."
    )
    return one(text, thought, code, answer)


def change(dice: Dice) -> Question:
    """The money that comes back."""
    a = dice.pick(5, 10, 20, 50, 100)
    b = min(dice.between(1, 99), a)
    money, name = dice.pick(*MONEY), dice.pick(*NAMES)
    text = dice.pick(
        f"{name} pays {b} {money} with a {a} {money} note. How much change?",
        f"Something costs {b} {money}. I pay with {a} {money}. What do I get back?",
        f"How much change from {a} {money} for {b} {money}?",
    )
    thought = dice.pick(
        f"Change is what was given less the price: {a} - {b}.", f"I subtract {b} from {a}."
    )
    code = f"print({a} - {b})"
    answer = dice.pick(f"The change is {{r}} {money}.", f"{{r}} {money} come back.")
    return one(text, thought, code, answer)


KINDS = {
    containers: 7,
    gain: 4,
    loss: 4,
    share: 3,
    price: 4,
    change: 2,
}
