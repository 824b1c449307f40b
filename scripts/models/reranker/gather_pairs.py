"""Gathers questions with right and wrong passages from public data sets.

Usage: python gather_pairs.py CLONES PAIRS.json
CLONES is a folder with one git clone per source, named as in `COMMITS` of pairs.py. pairs.py also describes PAIRS.json.
"""

import argparse
import collections
import csv
import html
import io
import json
import random
import re

from pairs import Clones, KeywordIndex, PairFile, content_words, post_text, reddit_tables

MAX_WRONG = 8
MAX_TITLES = 15000


def join_tokens(text):
    """Turns space-separated tokens of a treebank back into plain text."""
    text = text.replace("-LRB-", "(").replace("-RRB-", ")").replace("``", '"').replace("''", '"')
    text = re.sub(r" ([,.;:!?)%])", r"\1", text)
    text = re.sub(r"\( ", "(", text)
    return re.sub(r" ('s|n't|'re|'ve|'ll|'d|'m)\b", r"\1", text)


def split_sections(sections):
    """Splits each section into runs of one to three sentences; returns the runs and the section of each."""
    chunks, owners = [], []
    for section, text in sections.items():
        sentences = re.split(r'(?<=[.!?])["\']?\s+', re.sub(r"\s+", " ", text))
        start = 0
        while start < len(sentences):
            count = random.choice([1, 1, 2, 3])
            chunk = " ".join(sentences[start : start + count]).strip()
            start += count
            if chunk:
                chunks.append(chunk)
                owners.append(section)
    return chunks, owners


def gather_stories(clones):
    """FairytaleQA, training part: the right passage is the one of the named section that holds most of the answer."""
    source, groups = "FairytaleQA_Dataset", []
    folder = "FairytaleQA_Dataset/split_for_training/train/"
    for path in clones.paths(source):
        if not (path.startswith(folder) and path.endswith("-story.csv")):
            continue
        rows = csv.DictReader(io.StringIO(clones.read(source, path)))
        chunks, owners = split_sections({row["section"]: row["text"] for row in rows})
        chunk_words = [set(content_words(chunk)) for chunk in chunks]
        index = KeywordIndex(chunks)
        questions = clones.read(source, path.replace("-story.csv", "-questions.csv"))
        for row in csv.DictReader(io.StringIO(questions)):
            group = story_group(row, chunks, owners, chunk_words, index)
            if group:
                groups.append(group)
    return groups


def story_group(row, chunks, owners, chunk_words, index):
    """Returns the group of one FairytaleQA question, or None if no passage holds half of the answer's words."""
    question = row.get("question", "").strip()
    sections = [name.strip() for name in (row.get("cor_section") or "").split(",")]
    candidates = [i for i in range(len(chunks)) if owners[i] in sections]
    if not candidates or not question:
        return None
    answer = set(content_words(" ".join(row.get(key) or "" for key in ("answer1", "answer2", "answer3"))))
    asked = set(content_words(question))
    best = max(candidates, key=lambda i: len(answer & chunk_words[i]) + 0.5 * len(asked & chunk_words[i]))
    if len(answer & chunk_words[best]) < max(1, len(answer) * 0.5):
        return None
    limit = max(1, len(answer) * 0.4)
    wrong = [i for i in index.top(question, 14) if i != best and len(answer & chunk_words[i]) < limit][:8]
    drawn = random.sample(range(len(chunks)), min(3, len(chunks)))
    wrong += [i for i in drawn if i != best and i not in wrong]
    return (question, [chunks[best]], [chunks[i] for i in wrong]) if wrong else None


def gather_sentences(clones):
    """QAMR, development and test parts: wrong are sentences with the same words and of the same article."""
    source, sentences = "qamr", {}
    for line in clones.read(source, "data/wiki-sentences.tsv").split("\n"):
        cells = line.split("\t")
        if len(cells) == 2:
            sentences[cells[0]] = join_tokens(cells[1])
    questions = collections.defaultdict(set)
    for part in ("dev", "test"):
        for line in clones.read(source, f"data/filtered/{part}.tsv").split("\n"):
            cells = line.split("\t")
            question = next((cell for cell in cells if cell.endswith("?")), None)
            if question and cells[0] in sentences:
                questions[cells[0]].add(question)
    keys, texts = list(sentences), list(sentences.values())
    index = KeywordIndex(texts)
    articles = collections.defaultdict(list)
    for i, key in enumerate(keys):
        articles[key.rsplit(":", 2)[0]].append(i)
    groups = []
    for key, asked in questions.items():
        same = [i for i in articles[key.rsplit(":", 2)[0]] if keys[i] != key][:3]
        for question in random.sample(sorted(asked), min(14, len(asked))):
            wrong = [i for i in index.top(question, 12) if keys[i] != key][:6]
            wrong = list(dict.fromkeys(wrong + same))
            if wrong:
                groups.append((question, [sentences[key]], [texts[i] for i in wrong]))
    return groups


def gather_dialogues(clones):
    """FriendsQA, development and test parts: turns of a scene, each with its speaker and the turn before."""
    groups = []
    for part in ("dev", "tst"):
        for scene in json.loads(clones.read("FriendsQA", f"dat/friendsqa_{part}.json"))["data"]:
            for paragraph in scene["paragraphs"]:
                groups += scene_groups(paragraph)
    return groups


def scene_groups(paragraph):
    """Returns the groups of one scene; questions with over three right turns are left out."""
    turns = [((t.get("speakers") or [""])[0], join_tokens(t["utterance"])) for t in paragraph["utterances:"]]
    words = [set(content_words(text)) for _, text in turns]
    groups = []

    def passage(i):
        return [*turns[i], turns[i - 1][0] if i else "", turns[i - 1][1][-160:] if i else ""]

    for entry in paragraph["qas"]:
        answers = entry["answers"]
        right = {a["utterance_id"] for a in answers if not a.get("is_speaker")} or {a["utterance_id"] for a in answers}
        right = sorted(i for i in right if 0 <= i < len(turns))
        if not right or len(right) > 3:
            continue
        others = [i for i in range(len(turns)) if i not in right and len(turns[i][1]) > 8]
        asked = set(content_words(entry["question"]))
        closest = sorted(others, key=lambda i: -len(asked & words[i]))[:6]
        wrong = list(dict.fromkeys(closest + random.sample(others, min(4, len(others)))))
        if wrong:
            groups.append((join_tokens(entry["question"]), [passage(i) for i in right], [passage(i) for i in wrong]))
    return groups


def gather_medicine(clones):
    """MedQuAD: the beginnings of the answers to questions with the same words are wrong."""
    source = "MedQuAD"
    paths = [path for path in clones.paths(source) if path.endswith(".xml")]
    random.shuffle(paths)
    pairs = []
    for text in clones.read_many(source, paths[:4500]):
        for match in re.finditer(r"<Question[^>]*>(.*?)</Question>\s*<Answer>(.*?)</Answer>", text, re.S):
            answer = re.sub(r"\s+", " ", html.unescape(match[2])).strip()
            if len(answer) > 60:
                pairs.append((html.unescape(match[1]).strip(), answer[:500]))
    index = KeywordIndex([answer for _, answer in pairs])
    groups = []
    for question, answer in pairs:
        if random.random() > 0.4:
            continue
        wrong = [i for i in index.top(question, 10) if pairs[i][1] != answer][:7]
        if wrong:
            groups.append((question, [answer], [pairs[i][1] for i in wrong]))
    return groups


def gather_titles(clones):
    """Reddit: a title asks for a part of its own post; parts of other posts of the same subreddit are wrong."""
    groups = []
    for rows in reddit_tables(clones, min_size=200000):
        if len(groups) > MAX_TITLES:
            break
        try:
            posts = titled_posts(rows)
        except csv.Error:
            continue
        if len(posts) >= 80:
            groups += title_groups(posts[:180])
    return groups


def titled_posts(rows):
    """Returns title and text of the posts that have enough of both."""
    posts = []
    for row in rows:
        text, title = post_text(row), (row.get("title") or "").strip()
        if len(text) > 150 and 20 < len(title) < 160:
            posts.append((title, text))
    return posts


def title_groups(posts):
    """Returns a group for each of the first 150 posts whose title shares words with its own text."""
    parts, owners = [], []
    for owner, (_, text) in enumerate(posts):
        sentences = re.split(r"(?<=[.!?])\s+", text)
        start = count = 0
        while start < len(sentences) and count < 6:
            length = random.choice([1, 2, 3])
            part = " ".join(sentences[start : start + length])[:500]
            start, count = start + length, count + 1
            if len(part) > 40:
                parts.append(part)
                owners.append(owner)
    index, groups = KeywordIndex(parts), []
    for owner, (title, _) in enumerate(posts[:150]):
        top = index.top(title, 30)
        right = [i for i in top if owners[i] == owner][:2]
        wrong = [i for i in top if owners[i] != owner][:8]
        if right and len(wrong) >= 4:
            groups.append((title, [parts[random.choice(right)]], [parts[i] for i in wrong]))
    return groups


GATHERERS = {
    "fairytale": gather_stories,
    "qamr": gather_sentences,
    "friends": gather_dialogues,
    "medquad": gather_medicine,
    "reddit": gather_titles,
}


def main():
    """Gathers the groups of every source, in a fixed order because all share one random generator."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones")
    parser.add_argument("pairs")
    arguments = parser.parse_args()
    random.seed(7)
    clones, pairs = Clones(arguments.clones), PairFile()
    for source, gather in GATHERERS.items():
        pairs.add(source, gather(clones), MAX_WRONG)
    pairs.write(arguments.pairs)


if __name__ == "__main__":
    main()
