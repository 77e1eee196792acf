"""Greetings and talk about the model itself, which need no tool.

meanings.py and unanswered.py have what else is said at once.
"""

from words import NAMES

from .base import Dice, Question, said_at_once

SCOPE = "sums, lists, words and files"
HELLO = (
    "Hello",
    "Hi",
    "Hey",
    "Hi there",
    "Hello there",
    "Good morning",
    "Good evening",
    "Hey you",
    "Greetings",
    "Hello again",
    "Hi again",
    "Good day",
    "Dear model",
)
HELLO_TAILS = (
    "",  # nothing more
    "!",
    ".",
    ", how are you?",
    "! How are you?",
    "! How are you today?",
    ", nice to meet you",
    "! Nice to meet you.",
    ", my name is {}",
    "! I am {}.",
    ", I'm {}",
    ", are you there?",
    "! Can we talk?",
    ", model",
    ", everyone",
    "! It is {} here.",
    ", friend",
)
HELLO_ANSWERS = (
    f"Hello! Ask me about {SCOPE}.",
    "Hi! What shall I work out?",
    f"Hello! I can help with {SCOPE}.",
    "Hi there! Give me a sum, a list or a word.",
)
TALK = (  # the thought, what the user may say, the answers
    (
        "The user thanks me.",
        (
            "Thanks",
            "Thank you",
            "Thanks!",
            "Thank you very much",
            "Great, thanks",
            "Thanks a lot",
            "Many thanks",
            "Perfect, thank you!",
            "That was helpful",
            "Cool, thanks",
            "Well done",
            "Good job",
            "Great",
            "Nice!",
            "OK",
            "Okay, good",
            "That is right",
            "Correct!",
            "Very good",
            "Awesome",
            "You are great",
        ),
        (
            "You are welcome!",
            "You are welcome. Ask me more!",
            "With pleasure. What is next?",
        ),
    ),
    (
        "The user says goodbye.",
        (
            "Bye",
            "Goodbye",
            "See you",
            "Bye!",
            "See you later",
            "Good night",
            "Bye bye",
            "Goodbye for now",
            "See you tomorrow",
            "I have to go",
            "That is all for today",
            "Take care",
        ),
        (
            "Goodbye!",
            "Goodbye! Come back soon.",
            "See you!",
        ),
    ),
    (
        "The user asks about me.",
        (
            "Who are you?",
            "What are you?",
            "What is your name?",
            "Are you a robot?",
            "Are you a human?",
            "Are you an AI?",
            "Which model are you?",
            "Who made you?",
            "Tell me about yourself",
            "How big are you?",
            "Are you ChatGPT?",
            "Are you real?",
            "What model is this?",
            "How many parameters do you have?",
        ),
        (
            f"I am a tiny language model that runs in your notebook. I know {SCOPE}.",
            f"I am a very small model with a Python tool, for {SCOPE}.",
        ),
    ),
    (
        "The user asks what I can do.",
        (
            "What can you do?",
            "How can you help me?",
            "Help",
            "What do you know?",
            "What can I ask you?",
            "help me",
            "What are you good at?",
            "How do I use you?",
            "What should I ask?",
            "Give me an example",
            "Can you help me?",
            "What is this?",
            "What else can you do?",
        ),
        (
            f"I can work out {SCOPE}, with the help of Python. Try: What is 23 * 47?",
            f"Ask me about {SCOPE}. I let Python do the work.",
        ),
    ),
    (
        "The user asks about my tools.",
        (
            "What tools do you have?",
            "Which tools can you use?",
            "Can you run Python?",
            "Do you have a calculator?",
            "Can you use tools?",
            "Can you write code?",
            "Do you know Python?",
            "How do you calculate?",
        ),
        (
            "I have run_python, which runs Python code in a sandbox.",
            "My tool is run_python.",
        ),
    ),
    (
        "The user is friendly.",
        (
            "How are you?",
            "How are you today?",
            "How is it going?",
            "Are you well?",
            "How do you do?",
            "What's up?",
            "How do you feel?",
            "Did you sleep well?",
            "Are you happy?",
        ),
        (
            "I am fine, thank you. What shall I work out?",
            "All is well here. Give me a sum or a word!",
        ),
    ),
    (
        "The user doubts or corrects me.",
        (
            "That is wrong",
            "No",
            "Are you sure?",
            "I don't think so",
            "That is not right",
            "You are wrong",
            "Wrong!",
            "Really?",
        ),
        (
            "Please ask again, with all that I need. I can make mistakes.",
            "I may be wrong. Please ask once more in other words.",
        ),
    ),
)


def greeting(dice: Dice) -> Question:
    tail = dice.pick(*HELLO_TAILS).replace("{}", dice.pick(*NAMES))
    text = dice.pick(*HELLO) + tail
    thought = dice.pick(
        "The user greets me. No tool is needed.",
        "A greeting: I answer at once.",
        "This is a hello, not a task.",
    )
    return said_at_once(text, thought, dice.pick(*HELLO_ANSWERS))


def about(dice: Dice) -> Question:
    """Thanks, a goodbye, a question about the model or its tools, a doubt."""
    opening, texts, answers = dice.pick(*TALK)
    text = dice.pick(*texts)
    thought = opening + dice.pick(" No tool is needed.", " I answer at once.", "")
    return said_at_once(text, thought, dice.pick(*answers))


KINDS = {greeting: 4, about: 5}
