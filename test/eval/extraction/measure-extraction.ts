import type { ExtractedMemory, IndexedItem } from '../../../src/domain/document.ts'
import type { OtherEntity } from '../../../src/domain/results.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { loadStaticEmbedder } from '../../../src/models/static/static-embedder.ts'
import { createPipeline } from '../../../src/pipeline/pipeline.ts'
import { judgeMemories, type RubricOutcome } from './judge-memory.ts'
import { grammarSlips, headlineFaults, voiceFaults } from './judge-voice.ts'
import { type LabelledPassage, type LabelPart, readLabelledPassages } from './labelled-passages.ts'
import { type Tally, tally } from './tally.ts'
import { daysOf } from './written-days.ts'

/** How one passage came out. */
export interface PassageOutcome {
  readonly passage: LabelledPassage
  readonly item: IndexedItem
  readonly memories: readonly ExtractedMemory[]
  readonly participants: Tally
  readonly dates: Tally
  readonly entities: Tally
  /** Entities with a type other than `term` that are in the labels, and of them those of the labelled type. */
  readonly typed: Tally
  /** `undefined` where no time is labelled. */
  readonly when: boolean | undefined
  /** Sentences that say what is wrong; empty when nothing is. */
  readonly voice: readonly string[]
  readonly headline: readonly string[]
  readonly slips: readonly string[]
  /** Lines of bodies that do not stand in the source. */
  readonly body: readonly string[]
  readonly kept: readonly string[]
  readonly rubric: RubricOutcome
}

/** Abbreviations of the trade: whether they are names is a matter of taste, so they count neither way. */
const GENERIC = new Set(
  'API CI CD PR QA JSON CSV HTTP HTTPS URL PDF HTML CSS SQL UI UX VPN SSL TLS DNS CPU RAM IT'.split(' '),
)

/** Runs the labelled passages through the pipeline, as an upload would be, and compares. */
export async function measureExtraction(parts: readonly LabelPart[] = ['tuned', 'held']): Promise<PassageOutcome[]> {
  const pipeline = createPipeline({ embedder: await loadStaticEmbedder(packagePath('models/static-en-40k')) })
  const outcomes: PassageOutcome[] = []
  for (const passage of readLabelledPassages(parts)) {
    const { sourceType, fileName, userName, timeZone, uploadedAt, text, id } = passage
    const body = new TextEncoder().encode(text)
    const contentType = 'application/octet-stream'
    const file = { body, fileName, contentType, sourceType, itemId: id, userName, timeZone, uploadedAt }
    outcomes.push(judgeOutcome(passage, await pipeline.run(file)))
  }
  await pipeline.close()
  return outcomes
}

/** Compares the memories of an item with the labels of its passage. */
export function judgeOutcome(passage: LabelledPassage, item: IndexedItem): PassageOutcome {
  const { expect, userName, timeZone } = passage
  const { memories } = item
  const contents = memories.map(({ content }) => content)
  const entities = contents.flatMap(({ other_entities = [] }) => other_entities)
  const people = new Set([...expect.who, ...expect.optional_who, userName].filter((name) => !(name in expect.names)))
  const names = entities.filter(
    ({ entity_name, entity_type }) => entity_type !== 'date' && entity_type !== 'agent' && !people.has(entity_name),
  )
  const labelled = names.filter(({ entity_name, entity_type }) => entity_type !== 'term' && entity_name in expect.names)
  const whens = memories.flatMap(({ when }) => (when ? daysOf(when, timeZone) : []))
  const days = Object.values(expect.dates).flatMap((day) => day.split('/'))
  const told = entities
    .filter(({ entity_type }) => entity_type === 'date')
    .flatMap(({ entity_name }) => daysOf(entity_name))
  const isTold = memories.length >= expect.memories[0] && memories.length <= expect.memories[1]
  return {
    passage,
    item,
    memories,
    participants: tally(
      contents.flatMap(({ participants = [] }) => participants),
      expect.who,
      expect.optional_who,
    ),
    // The time of the memory answers for a day that the text names; other times of telling are no dates of the text.
    dates: tally([...told, ...whens.filter((day) => days.includes(day))], days, [
      ...expect.optional_dates,
      ...Object.values(expect.weeks),
    ]),
    entities: tally(
      names.map(({ entity_name }) => entity_name),
      Object.keys(expect.names),
      [...expect.optional, ...GENERIC, ...namesOfFrame(names, item)],
    ),
    typed: tally(
      labelled.map(({ entity_name, entity_type }) => `${entity_name}: ${sameType(entity_type)}`),
      labelled.map(({ entity_name }) => `${entity_name}: ${sameType(expect.names[entity_name] ?? '')}`),
      [],
    ),
    when: expect.when === undefined ? undefined : whens.some((day) => day.startsWith(expect.when ?? '')),
    voice:
      expect.memories[1] === 0
        ? []
        : voiceFaults(
            contents.map(({ narrative = '' }) => narrative),
            passage,
          ),
    headline:
      expect.memories[1] === 0
        ? []
        : headlineFaults(
            contents.map(({ headline = '' }) => headline),
            passage,
          ),
    slips: contents.flatMap(({ narrative = '' }) => grammarSlips(narrative)),
    body: contents.flatMap(({ body = '' }) => foreignLines(body, passage.text)),
    kept: [
      ...(isTold ? [] : [`${memories.length} memories`]),
      ...expect.skips.filter((reason) => !item.skips.some((skip) => skip.reason === reason)),
    ],
    rubric: judgeMemories(passage, item),
  }
}

/** Typed names that the title or the place of a document tells: labels of the first kind name those of the text only. */
function namesOfFrame(names: readonly OtherEntity[], { title = '', memories }: IndexedItem): string[] {
  const frame = [title, ...memories.map(({ content }) => content.where ?? '')].join('\n')
  return names.flatMap(({ entity_name, entity_type }) =>
    entity_type !== 'term' && frame.includes(entity_name) ? [entity_name] : [],
  )
}

/** `money` was the first word for an amount. */
function sameType(type: string): string {
  return type === 'money' ? 'amount' : type
}

/** Lines of a body whose letters and digits do not stand in the source; a speaker before the words is the format of a body. */
function foreignLines(body: string, source: string): string[] {
  const isHtml = /<(?:html|table)\b/.test(source)
  const text = isHtml ? source.replace(/<[^>]*>|&\w+;/g, ' ') : source
  // Neither the escapes of a calendar nor the numbers and times of captions are words.
  const words = text.replace(/\\[nN]|^(?:\d+\n)?\d\d:\d\d:.* --> .*$/gm, ' ').replace(/\n[ \t](?=\S)/g, '')
  const bare = lettersOf(words)
  return body.split('\n').filter((written) => {
    // A link of a page is written with its address.
    const line = isHtml ? written.replace(/\]\([^()]*\)/g, ']') : written
    if (/^(?:What|When|Due|Where|Organizer|With): |^Repeats |^This (?:event|task) was cancelled/.test(line))
      return false
    return !bare.includes(lettersOf(line)) && !bare.includes(lettersOf(line.replace(/^[^:]{1,60}: /, '')))
  })
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '')
}
