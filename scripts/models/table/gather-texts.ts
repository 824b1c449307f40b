import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { readSets } from '../../../test/eval/evaluation-set.ts'

// node gather-texts.ts EVALUATION TEXTS.json [--pairs PAIRS.json] FOLDER ...
// Gathers the texts of PAIRS.json (written by ../reranker/gather_pairs.py) and the paragraphs of the Markdown files below the
// folders, in an order that looks random and is always the same. Leaves out what begins like a text of the evaluation sets.

/** Letters and digits by which a text is recognized. */
const KEY_LENGTH = 60
const SHORTEST = 20
const LONGEST = 500

function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, KEY_LENGTH)
}

function evaluationKeys(folder: string): Set<string> {
  const sets = readSets(folder)
  if (sets.length === 0) throw new Error(`There are no evaluation sets in ${folder}.`)
  const turns = sets.flatMap(({ collections }) =>
    collections.flatMap(({ sessions }) => sessions.flatMap((one) => one.turns)),
  )
  const questions = sets.flatMap((set) => set.questions)
  return new Set([...turns, ...questions].map(({ text }) => keyOf(text)))
}

/** The texts of a file of pairs; passages of a dialogue are among them without their speakers. */
function pairTexts(file: string): string[] {
  return z.object({ texts: z.array(z.string()) }).parse(JSON.parse(readFileSync(file, 'utf8'))).texts
}

function paragraphs(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.md$/i.test(name))
  return files.flatMap((name) => {
    const prose = readFileSync(join(folder, name), 'utf8')
      .replace(/^```[\s\S]*?^```/gm, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/<[^>]+>/g, '')
    return prose.split(/\n\s*\n/).filter((paragraph) => !/^\s*[|[#]/.test(paragraph))
  })
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { pairs: { type: 'string' } } })
const [evaluation, file, ...folders] = positionals
if (evaluation === undefined || file === undefined) throw new Error('Usage: see the first lines of this script.')
const excluded = evaluationKeys(evaluation)
const texts = new Map<string, string>()
for (const raw of [...(values.pairs ? pairTexts(values.pairs) : []), ...folders.flatMap(paragraphs)]) {
  const text = raw.replace(/\s+/g, ' ').trim().slice(0, LONGEST)
  const key = keyOf(text)
  if (text.length >= SHORTEST && !excluded.has(key)) texts.set(key, text)
}
const orderOf = (text: string) => createHash('sha1').update(text).digest('hex')
const ordered = [...texts.values()]
  .map((text) => ({ text, order: orderOf(text) }))
  .sort((a, b) => (a.order < b.order ? -1 : 1))
writeFileSync(file, JSON.stringify(ordered.map(({ text }) => text)))
process.stdout.write(`${ordered.length} texts\n`)
