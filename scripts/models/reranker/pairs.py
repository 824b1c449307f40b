"""Shared by gather_pairs.py and rule_questions.py: the clones, an index of keywords and the file of pairs."""

import collections
import csv
import io
import json
import math
import random
import re
import subprocess

COMMITS = {
    "FairytaleQA_Dataset": "aaae7ebad030e0572cf46a995dc99fbc0db9db7c",
    "qamr": "956b0eb2d5857f4aafa1af257ba06fa6cb683b99",
    "FriendsQA": "9ce6c98a6acf13c87d96b6811e4409b5de43bdfe",
    "MedQuAD": "577bd37b96c02d1833b2c9eed2de9f96964e96cb",
    "reddit-top-2.5-million": "d0efcade504b8ed735a48ddc2b15552fa924c9d9",
    "qasrl_annotation": "fe71f1fb003b8869971462849cb91c5d6a5d26df",
}

STOP_WORDS = set(
    "a an the of to in on at for and or is are was were be been do does did what when where who why how which that this it"
    " i you he she they we my your his her their with as by from have has had not no if so but".split()
)


class Clones:
    """Reads files of the clones at the pinned commits."""

    def __init__(self, folder):
        self.folder = folder

    def git(self, source, *arguments):
        """Runs git in the clone of a source and returns its output."""
        command = ["git", "-C", f"{self.folder}/{source}", *arguments]
        return subprocess.run(command, capture_output=True, check=True).stdout.decode("utf8", "replace")

    def read(self, source, path):
        """Returns the text of a file."""
        return self.git(source, "show", f"{COMMITS[source]}:{path}")

    def paths(self, source):
        """Lists the paths of all files, in the order of git."""
        return self.git(source, "-c", "core.quotePath=true", "ls-tree", "-r", "--name-only", COMMITS[source]).split("\n")

    def read_many(self, source, paths):
        """Yields the text of each path from one git process, which is much faster than one process a file."""
        command = ["git", "-C", f"{self.folder}/{source}", "cat-file", "--batch"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for path in paths:
                process.stdin.write(f"{COMMITS[source]}:{path}\n".encode())
                process.stdin.flush()
                size = int(process.stdout.readline().split()[2])
                yield process.stdout.read(size + 1).decode("utf8", "replace")
            process.stdin.close()


class KeywordIndex:
    """Ranks texts by the rare words that they share with a query (inverse document frequency, saturated counts)."""

    def __init__(self, texts):
        self.size = len(texts)
        self.postings = collections.defaultdict(list)
        for index, text in enumerate(texts):
            for word, count in collections.Counter(content_words(text)).items():
                self.postings[word].append((index, count))

    def top(self, query, limit):
        """Returns the indexes of at most `limit` texts, best first. Words in over 20 % of the texts don't count."""
        scores = collections.Counter()
        for word in dict.fromkeys(content_words(query)):
            postings = self.postings.get(word)
            if not postings or len(postings) > self.size * 0.2:
                continue
            weight = math.log(1 + self.size / len(postings))
            for index, count in postings:
                scores[index] += weight * count / (count + 0.8)
        return [index for index, _ in scores.most_common(limit)]


class PairFile:
    """The file of pairs: `texts` (strings, each once) and `groups`.

    `groups` has for each source a list of [question, right passages, wrong passages]. A passage is
    [speaker, text, speaker of the turn before, text of the turn before]; a text is an index into `texts`, -1 is none.
    """

    def __init__(self, texts=(), groups=None):
        self.texts = list(texts)
        self.groups = groups or {}
        self.indexes = {text: index for index, text in enumerate(self.texts)}

    def add(self, source, groups, max_wrong=None):
        """Stores the groups of a source, with at most `max_wrong` wrong passages each."""
        self.groups[source] = [
            [question, [self._entry(p) for p in right], [self._entry(p) for p in wrong[:max_wrong]]]
            for question, right, wrong in groups
        ]
        print(source, len(groups))

    def write(self, path):
        """Writes the file as JSON."""
        with open(path, "w", encoding="utf8") as file:
            json.dump({"texts": self.texts, "groups": self.groups}, file, ensure_ascii=False, separators=(",", ":"))

    def _entry(self, passage):
        speaker, text, previous_speaker, previous = ["", passage, "", ""] if isinstance(passage, str) else passage
        return [speaker, self._index(text), previous_speaker, self._index(previous) if previous else -1]

    def _index(self, text):
        if text not in self.indexes:
            self.indexes[text] = len(self.texts)
            self.texts.append(text)
        return self.indexes[text]


def content_words(text):
    """Returns the lower-case words of a text without stop words."""
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOP_WORDS]


def reddit_tables(clones, min_size):
    """Yields the rows of each table of Reddit posts with at least `min_size` characters, in random order.

    Tables that a partial clone lacks are skipped.
    """
    source = "reddit-top-2.5-million"
    paths = [path for path in clones.paths(source) if path.startswith("data/") and path.endswith(".csv")]
    random.shuffle(paths)
    csv.field_size_limit(10**9)
    for path in paths:
        try:
            text = clones.read(source, path)
        except subprocess.CalledProcessError:
            continue
        if len(text) >= min_size:
            yield csv.DictReader(io.StringIO(text))


def post_text(row):
    """Returns the text of a post in one line, without links."""
    return re.sub(r"\s+", " ", re.sub(r"https?://\S+", "", row.get("selftext") or "")).strip()
