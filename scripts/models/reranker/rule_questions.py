"""Makes questions by rules from first-person sentences of Reddit posts and adds them to a file of pairs.

Usage: python rule_questions.py CLONES PAIRS.json
CLONES and PAIRS.json are those of gather_pairs.py. Each sentence gets a made-up speaker, whom the question asks about.
"""

import argparse
import csv
import json
import random
import re

from pairs import STOP_WORDS, Clones, KeywordIndex, PairFile, content_words, post_text, reddit_tables

MAX_GROUPS = 40000
MAX_TABLE_GROUPS = 280

NAMES = (
    "Anna Ben Carla David Elena Frank Grace Henry Iris Jack Karen Liam Mia Noah Olivia Paul Quinn Rachel Sam Tina Uma"
    " Victor Wendy Xavier Yara Zoe Marcus Nadia Oscar Priya Ravi Sofia Tom Vera Will Amy Brian Chloe Derek Emma Felix Gina"
    " Hugo Ingrid Jonas Kate Leo Maria Nils Petra"
).split()

DAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
TIME = re.compile(
    rf"\b(yesterday|last (?:night|week|month|year|summer|winter|spring|fall|weekend|{DAY})"
    r"|(?:a|two|three|four|five|six|\d+|a few|a couple(?: of)?) (?:days?|weeks?|months?|years?|hours?) ago"
    rf"|in (?:19|20)\d\d|in {MONTH}|this morning|today|on {DAY})\b",
    re.I,
)
PLACE = re.compile(
    r"\b(?:in|at|to|from|near) (?:the |a |my )?([A-Z][a-z]+(?: [A-Z][a-z]+)*|store|mall|beach|school|office|hospital"
    r"|park|gym|bar|library|airport|restaurant|movies|doctor|church|zoo|lake|museum)\b"
)
COMPANY = re.compile(r"\bwith (my|a|some|the) ((?:\w+ )?\w+)")
PAST_EVENT = re.compile(
    r"\bI(?: just| also| finally| actually| really| recently)? (\w+)"
    r"(?: (up|out|off|back|down|away|over))? ([^.!?]{4,90})"
)
OWN_THING = re.compile(
    r"\b[Mm]y (?:own |old |new |favorite |best )?(\w+)(?:'s)?"
    r" (?:is|was|are|were|has|had|named|called|loves?|likes?|works?|lives?) ([^.!?,]{3,60})"
)
STATE = re.compile(
    r"\bI(?:'m| am) (?:a|an|from|allergic to|working on|learning|planning to|going to|trying to|thinking of|looking for)"
    r" ([^.!?,]{3,60})"
)
HABIT = re.compile(r"\bI (love|like|hate|prefer|enjoy|want|need|own|play|collect|live|work|study) ([^.!?,]{3,60})")
SPECIFIC = re.compile(r"(When|Where|Who|What did|What kind|Is |Does |What does)")


def read_past_forms(clones):
    """Returns the infinitive of each past form; forms that are mostly auxiliaries are left out."""
    infinitives = {}
    for line in clones.read("qasrl_annotation", "data/en_verb_inflections.txt").split("\n"):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) >= 5:
            infinitives[cells[3]] = cells[0]
            infinitives.setdefault(cells[4], cells[0])
    for word in ("was", "were", "did", "could", "would", "should", "might", "must", "used"):
        infinitives.pop(word, None)
    infinitives["had"] = "have"
    return infinitives


def third_person(text, name, possessive):
    """Turns a text about the speaker into one about `name`."""
    text = re.sub(r"\b[Mm]y\b", possessive, text)
    text = re.sub(r"\b(me|myself)\b", name, text)
    return re.sub(r"\bI\b", name, text)


def first_clause(text):
    """Returns the text up to the first conjunction or mark."""
    conjunctions = r"\b(?:and|but|because|so|which|when|while|after|before|that|then|as|since|until|if)\b"
    return re.split(rf"{conjunctions}|[,;:()\"]", text)[0].strip()


def event_questions(sentence, name, infinitives):
    """Returns questions about what the speaker did."""
    questions = []
    for match in PAST_EVENT.finditer(sentence):
        verb = match[1].lower()
        if verb not in infinitives:
            continue
        infinitive = infinitives[verb] + (" " + match[2] if match[2] else "")
        rest = first_clause(match[3])
        if len(rest) < 4:
            continue
        possessive = random.choice(["his", "her", "their"])
        topic = shorten(third_person(re.sub(r"\s+", " ", TIME.sub("", rest)).strip(), name, possessive))
        if not topic:
            continue
        if TIME.search(match[0]):
            questions.append(f"When did {name} {infinitive} {topic}?")
        questions += detail_questions(rest, name, infinitive, possessive)
        questions.append(
            random.choice(
                [
                    f"Did {name} {infinitive} {topic}?",
                    f"What happened when {name} {verb} {topic}?",
                    f"Why did {name} {infinitive} {topic}?",
                    f"How did {name} {infinitive} {topic}?",
                ]
            )
        )
    return questions


def shorten(topic):
    """Cuts most long topics to three to five words, never after a preposition or an article."""
    words = topic.split()
    if len(words) > 5 and random.random() < 0.6:
        topic = " ".join(words[: random.randint(3, 5)])
    return re.sub(r"\s+(?:the|a|an|in|on|at|to|of|with|for|my|his|her|their|from|by)$", "", topic)


def detail_questions(rest, name, infinitive, possessive):
    """Returns questions for the place, the company and the object that follow the verb."""
    questions, subject = [], f"did {name} {infinitive}"
    place = PLACE.search(rest)
    if place and place.start() > 2:
        before = third_person(first_clause(rest[: place.start()]), name, possessive)
        questions.append(f"Where {subject} {before}?")
    elif place:
        questions.append(f"Where {subject}?")
    company = COMPANY.search(rest)
    if company and company.start() > 0:
        before = third_person(rest[: company.start()].strip(), name, possessive)
        questions.append(f"Who {subject} {before} with?")
    if re.match(r"(?:the|a|an|my|some|this|two|three|\d+) ", rest):
        tail = re.search(r"\b(?:for|in|at|from|with|on|to|about) .*", rest)
        with_tail = tail and random.random() < 0.7
        questions.append(f"What {subject}" + (" " + third_person(tail[0], name, possessive) if with_tail else "") + "?")
        noun = re.match(r"(?:the|a|an|my|some|this) ((?:\w+ ){1,2}?)(\w+)", rest)
        if noun and random.random() < 0.4:
            questions.append(f"What kind of {noun[2]} {subject}?")
    return questions


def attribute_questions(sentence, name):
    """Returns questions about what the speaker has, is and likes."""
    questions = []
    for match in OWN_THING.finditer(sentence):
        noun = match[1].lower()
        if noun in STOP_WORDS or len(noun) < 3:
            continue
        possessive = random.choice(["his", "her", "their"])
        questions.append(
            random.choice(
                [
                    f"What is {name}'s {noun} like?",
                    f"What does {name} say about {possessive} {noun}?",
                    f"Tell me about {name}'s {noun}",
                    f"Who is {name}'s {noun}?",
                ]
            )
        )
    for match in STATE.finditer(sentence):
        words = match[0].split()
        words = words[1:] if words[0] == "I'm" else words[2:]
        preposition = " " + words[1] if len(words) > 1 and words[1] in ("to", "on", "of", "for") else ""
        open_question = f"What is {name} {words[0]}{preposition}?"
        if words[0] in ("a", "an"):
            open_question = f"What is {name}'s job or role?"
        questions.append(random.choice([f"Is {name} {' '.join(words)}?", open_question]))
    for match in HABIT.finditer(sentence):
        verb, clause = match[1], first_clause(match[2])
        thing = clause.split()[-1] if clause else "things"
        questions.append(
            random.choice(
                [
                    f"What does {name} {verb}?",
                    f"Does {name} {verb} {third_person(clause, name, 'their')}?",
                    f"What {thing} does {name} {verb}?",
                ]
            )
        )
    return questions


def choose_question(questions):
    """Picks one question, mostly one with a specific answer; returns None for 45 % of the passages without such."""
    specific = [question for question in questions if SPECIFIC.match(question)]
    if not specific and random.random() < 0.45:
        return None
    return random.choice(specific if specific and random.random() < 0.8 else questions)


def ask_about_self(question, name):
    """Turns a question about `name` into one that `name` asks about themselves."""
    question = re.sub(rf"\bdid {name}\b", "did I", question)
    question = re.sub(rf"\bdoes {name}\b", "do I", question)
    question = re.sub(rf"{name}'s", "my", question)
    question = re.sub(r"\b(his|her|their)\b", "my", question)
    question = re.sub(rf"\bIs {name}\b", "Am I", question)
    return re.sub(name, "I", question)


def split_posts(rows):
    """Returns up to about 1,100 passages of one to three sentences from posts in the first person."""
    parts = []
    for row in rows:
        text = post_text(row)
        if len(text) < 200 or text.count(" I ") < 3:
            continue
        sentences = re.split(r"(?<=[.!?])\s+", text)[:14]
        start = 0
        while start < len(sentences):
            count = random.choice([1, 1, 2, 2, 3])
            part = " ".join(sentences[start : start + count])[:450]
            start += count
            if len(part) > 30:
                parts.append(part)
        if len(parts) > 1100:
            break
    return parts


def passage_group(i, parts, order, index, infinitives):
    """Returns the group that asks about passage `i`, or None if it gives no question or too few wrong passages."""
    name = random.choice(NAMES)
    about_self = random.random() < 0.12
    questions = event_questions(parts[i], name, infinitives) + attribute_questions(parts[i], name)
    question = choose_question(questions) if questions else None
    if question is None:
        return None
    if about_self:
        question = ask_about_self(question, name)
    if random.random() < 0.15:
        question = question.rstrip("?").lower()
    words = set(content_words(parts[i]))
    # A passage with half of the same words may answer as well, so it is not taken as wrong.
    close = [j for j in index.top(question, 16) if j != i]
    wrong = [j for j in close if len(words & set(content_words(parts[j]))) < 0.5 * len(words)][:7]
    if len(wrong) < 4:
        return None
    other = random.choice([choice for choice in NAMES if choice != name])

    def passage(j, speaker):
        previous_speaker = random.choice(["", other, name])
        previous = parts[j - 1][-120:] if random.random() < 0.3 and j else ""
        return [speaker, parts[j], previous_speaker if previous else "", previous]

    right = [passage(i, name)]
    passages = [passage(j, random.choice([name, name, other])) for j in wrong]
    if random.random() < 0.35 and not about_self:
        passages.append(passage(i, other))
    passages.append(passage(random.choice(order), name))
    return question, right, passages


def make_groups(clones):
    """Returns the groups of all tables until there are over MAX_GROUPS."""
    infinitives, groups = read_past_forms(clones), []
    for rows in reddit_tables(clones, min_size=150000):
        if len(groups) > MAX_GROUPS:
            break
        try:
            parts = split_posts(rows)
        except csv.Error:
            continue
        if len(parts) < 300:
            continue
        index, order, made = KeywordIndex(parts), list(range(len(parts))), 0
        random.shuffle(order)
        for i in order:
            if made > MAX_TABLE_GROUPS:
                break
            group = passage_group(i, parts, order, index, infinitives)
            if group:
                groups.append(group)
                made += 1
    return groups


def main():
    """Adds the groups to the file of pairs under the name `rules`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones")
    parser.add_argument("pairs")
    arguments = parser.parse_args()
    with open(arguments.pairs, encoding="utf8") as file:
        stored = json.load(file)
    random.seed(11)
    pairs = PairFile(stored["texts"], stored["groups"])
    pairs.add("rules", make_groups(Clones(arguments.clones)))
    pairs.write(arguments.pairs)


if __name__ == "__main__":
    main()
