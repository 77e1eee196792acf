"""The words that questions about words use. They are spelled, not known: most are made up, so that the model learns to copy letters."""

import random

NAMES = [
    "Anna",
    "Ben",
    "Cara",
    "Dan",
    "Ella",
    "Finn",
    "Gina",
    "Hugo",
    "Ivy",
    "Jack",
    "Kim",
    "Leo",
    "Mia",
    "Noah",
    "Olga",
    "Paul",
    "Rosa",
    "Sam",
    "Tom",
    "Zoe",
]
THINGS = [
    "apples",
    "books",
    "coins",
    "cards",
    "marbles",
    "stickers",
    "pens",
    "shells",
    "stamps",
    "sweets",
    "toys",
    "eggs",
    "cookies",
    "oranges",
    "buttons",
    "tickets",
    "stones",
    "flowers",
    "cups",
    "keys",
]
CONTAINERS = [
    ("box", "boxes"),
    ("bag", "bags"),
    ("crate", "crates"),
    ("basket", "baskets"),
    ("jar", "jars"),
    ("pack", "packs"),
    ("tray", "trays"),
    ("shelf", "shelves"),
]
UNITS = [
    ("km", "m", 1000), ("m", "cm", 100), ("kg", "g", 1000), ("hours", "minutes", 60), ("minutes", "seconds", 60), ("days", "hours", 24),
    ("weeks", "days", 7), ("years", "months", 12), ("cm", "mm", 10), ("litres", "ml", 1000), ("feet", "inches", 12), ("tonnes", "kg", 1000),
]  # fmt: skip
WORDS = ["able", "about", "above", "across", "afternoon", "again", "air", "alarm", "album", "algebra", "almond", "almost", "along", "alphabet", "always", "amber", "anchor", "angle", "animal", "answer", "apple", "apricot", "april", "arch", "area", "arrow", "artist", "atlas", "attic", "august", "autumn", "avenue", "avocado", "baby", "bakery", "balance", "balcony", "ball", "bamboo", "banana", "band", "bank", "barn", "basket", "beach", "bean", "bear", "beautiful", "because", "bed", "bee", "before", "begin", "bell", "berry", "bicycle", "bird", "birthday", "biscuit", "black", "blanket", "blossom", "blue", "board", "boat", "book", "bottle", "bottom", "box", "branch", "brave", "bread", "breakfast", "breeze", "brick", "bridge", "bright", "broom", "brother", "brown", "brush", "bubble", "bucket", "builder", "butter", "butterfly", "button", "cabbage", "cabin", "cactus", "cake", "calendar", "camel", "camera", "camp", "candle", "canoe", "captain", "car", "carpet", "carrot", "castle", "cat", "ceiling", "cellar", "chair", "chalk", "cheese", "cherry", "chess", "chicken", "child", "chimney", "chocolate", "church", "cinema", "circle", "circus", "city", "class", "clean", "climb", "clock", "cloud", "clover", "coat", "cobweb", "coconut", "coffee", "coin", "cold", "color", "comet", "compass", "cook", "copper", "coral", "corn", "corner", "cotton", "country", "cousin", "cow", "crayon", "cricket", "crown", "crystal", "cup", "curtain", "dance", "dark", "daughter", "dawn", "december", "deep", "deer", "desert", "desk", "diamond", "dinner", "dinosaur", "dog", "dolphin", "donkey", "door", "dragon", "drawer", "dream", "drum", "duck", "eagle", "earth", "east", "easy", "echo", "egg", "eight", "elbow", "elephant", "eleven", "empty", "engine", "evening", "every", "family", "farm", "father", "feather", "february", "fence", "field", "fifty", "finger", "fire", "fish", "flag", "flame", "flood", "floor", "flower", "flute", "fog", "forest", "forget", "fork", "fountain", "four", "fox", "friday", "friend", "frog", "frost", "fruit", "galaxy", "garage", "garden", "garlic", "gate", "giant", "ginger", "giraffe", "glacier", "glass", "glove", "goat", "gold", "goose", "grape", "grass", "green", "guitar", "hammer", "hand", "happy", "harbor", "harvest", "hat", "hazel", "head", "heart", "hedgehog", "helmet", "hill", "history", "holiday", "honey", "horizon", "horse", "house", "hundred", "ice", "idea", "insect", "iron", "island", "ivory", "jacket", "january", "jelly", "jewel", "jigsaw", "journey", "juice", "july", "jungle", "june", "jupyter", "kayak", "kettle", "key", "kitchen", "kite", "kitten", "knife", "ladder", "lake", "lamp", "language", "lantern", "laptop", "laugh", "leaf", "lemon", "letter", "level", "library", "light", "lily", "lion", "lizard", "lobster", "lunch", "machine", "magnet", "mango", "maple", "marble", "march", "market", "mask", "meadow", "melon", "memory", "mercury", "merry", "metal", "milk", "million", "mirror", "mississippi", "monday", "monkey", "month", "moon", "morning", "mother", "motor", "mountain", "mouse", "mushroom", "music", "narrow", "nature", "needle", "nest", "night", "nine", "noon", "north", "notebook", "november", "number", "nurse", "ocean", "october", "octopus", "office", "olive", "onion", "orange", "orbit", "orchard", "ostrich", "otter", "oven", "owl", "paint", "palace", "pancake", "panda", "paper", "parade", "parrot", "party", "peach", "peanut", "pearl", "pencil", "penguin", "people", "pepper", "piano", "picnic", "picture", "pillow", "pilot", "pirate", "planet", "plate", "pocket", "poem", "pond", "pony", "potato", "prince", "printer", "pumpkin", "puppet", "purple", "puzzle", "python", "queen", "quiet", "quilt", "rabbit", "racecar", "radar", "radio", "railway", "rainbow", "raspberry", "raven", "reader", "red", "refer", "ribbon", "rice", "river", "road", "robin", "robot", "rocket", "roof", "room", "rope", "rose", "rotor", "round", "rubber", "saddle", "sail", "salad", "salt", "sand", "saturday", "school", "scissors", "sea", "season", "secret", "september", "seven", "shadow", "sheep", "shell", "ship", "shoe", "silver", "sister", "sky", "sleep", "snail", "snow", "soap", "soccer", "socks", "song", "south", "space", "spider", "spinach", "spoon", "spring", "square", "squirrel", "stairs", "star", "station", "stone", "storm", "story", "strawberry", "street", "student", "sugar", "summer", "sunday", "sunflower", "swan", "sweater", "swim", "table", "tail", "tea", "teacher", "telescope", "temple", "tennis", "tent", "theatre", "thousand", "thunder", "thursday", "ticket", "tiger", "toast", "tomato", "tower", "town", "train", "travel", "treasure", "tree", "triangle", "trumpet", "tuesday", "tunnel", "turtle", "umbrella", "uncle", "valley", "vanilla", "velvet", "village", "violin", "volcano", "wagon", "walnut", "water", "wave", "weather", "wednesday", "week", "west", "whale", "wheel", "whisper", "white", "willow", "window", "winter", "wizard", "wolf", "wonder", "wood", "world", "yellow", "yogurt", "zebra", "zero", "zipper"]  # fmt: skip

_shuffled = sorted(set(WORDS))
random.Random(7).shuffle(_shuffled)
HELD_OUT_WORDS = _shuffled[:80]
TRAINING_WORDS = _shuffled[80:]

_ONSETS = [
    "b",
    "c",
    "d",
    "f",
    "g",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "q",
    "r",
    "s",
    "t",
    "v",
    "w",
    "x",
    "y",
    "z",
    "br",
    "ch",
    "cl",
    "cr",
    "dr",
    "fl",
    "gr",
    "pl",
    "pr",
    "sh",
    "sl",
    "st",
    "str",
    "th",
    "tr",
    "wh",
]
_VOWELS = ["a", "e", "i", "o", "u", "a", "e", "i", "o", "u", "ai", "ea", "ee", "oo", "ou"]
_CODAS = [
    "",
    "",
    "",
    *["n", "r", "s", "t", "l", "m", "d", "k", "p", "x", "z", "ck", "ll", "ng", "nd", "rt", "st"],
]


def made_up_word(random_source: random.Random) -> str:
    """A word that is in no dictionary: one to three syllables, or any letters at all."""
    if random_source.random() < 0.35:
        return "".join(
            random_source.choices("abcdefghijklmnopqrstuvwxyz", k=random_source.randint(3, 9))
        )
    syllables = random_source.randint(1, 3)
    parts = [
        random_source.choice(_ONSETS) + random_source.choice(_VOWELS) + random_source.choice(_CODAS)
        for _ in range(syllables)
    ]
    return "".join(parts)[:12]


def word(random_source: random.Random, known: list[str], made_up: float = 0.7) -> str:
    """A word of `known`, or (a share of `made_up`) one that was made up."""
    return (
        made_up_word(random_source)
        if random_source.random() < made_up
        else random_source.choice(known)
    )
