import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import type { IndexedItem } from '../../../src/domain/document.ts'
import type { RefinableItem } from '../../../src/domain/refinement.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { openLanguageModel } from '../../../src/models/ai-sdk/language-model.ts'
import { askForObject } from '../../../src/models/ask-for-object.ts'
import type { LanguageModel } from '../../../src/models/model.ts'
import { LANGUAGE_SETTINGS } from '../../../src/models/model-settings.ts'
import { planBatches, refineRules } from '../../../src/pipeline/refine/plan-batches.ts'
import { EXTRACT_ANSWER, mergeMemories, readAnswer } from '../../../src/pipeline/refine/read-answer.ts'
import { type ChatRequest, startOpenAiServer } from '../../fakes/openai-server.ts'
import { answered, passagesOf } from '../../lib/refinable.ts'
import { tableHead, tableRow } from '../table.ts'
import type { LabelledPassage } from './labelled-passages.ts'
import { judgeOutcome, measureExtraction, type PassageOutcome } from './measure-extraction.ts'
import { memoryRow, memoryTableHead } from './memory-table.ts'

const KINDS = ['good', 'unresolved', 'ungrounded', 'third person'] as const

const SCRIPT = z.array(
  z.strictObject({
    passage: z.string(),
    memories: z.array(
      z.strictObject({ is: z.enum(KINDS), headline: z.string(), narrative: z.string(), quote: z.string() }),
    ),
  }),
)
type ScriptedMemory = z.infer<typeof SCRIPT>[number]['memories'][number]

interface ModelOutcome {
  readonly scripted: readonly ScriptedMemory[]
  /** Narratives that were kept, as they are stored. */
  readonly kept: readonly string[]
  readonly byRules: PassageOutcome
  readonly byModel: PassageOutcome
}

/**
 * Lets a scripted model answer for some tuned passages, over HTTP and through the real client, and judges what is kept of its
 * memories by the rubric of extraction. Returns Markdown.
 */
export async function measureModel(): Promise<string> {
  const script = SCRIPT.parse(parse(readFileSync(packagePath('test/eval/extraction/model-answers.yaml'), 'utf8')))
  const outcomes = new Map((await measureExtraction(['tuned'])).map((one) => [one.passage.id, one]))
  await using server = await startOpenAiServer(() => ({}))
  const model = await openLanguageModel(
    LANGUAGE_SETTINGS.parse({ provider: 'openai-compatible', model: 'scripted', url: server.url }),
  )
  const measured: ModelOutcome[] = []
  for (const { passage, memories } of script) {
    const byRules = outcomes.get(passage)
    if (!byRules) throw new Error(`model-answers.yaml names the passage ${passage}, which is not there`)
    server.chat((request) => ({ memories: memories.flatMap((one) => answerFor(one, request)), qas: [] }))
    measured.push(await refine(byRules, memories, model))
  }
  return report(measured)
}

/** The memory as the model answers it, if its quote is in one of the passages of this request. */
function answerFor({ headline, narrative, quote }: ScriptedMemory, request: ChatRequest) {
  const passage = passagesOf(request).find(({ text }) => text.replace(/\s+/g, ' ').includes(quote))
  return passage ? [answered(passage.n, quote, { headline, narrative })] : []
}

async function refine(
  byRules: PassageOutcome,
  scripted: readonly ScriptedMemory[],
  model: LanguageModel,
): Promise<ModelOutcome> {
  const { passage, item } = byRules
  const refinable = refinableItem(passage, item)
  const prompt = { version: 'extract.v1', text: readFileSync(packagePath('config/prompts/extract.v1.md'), 'utf8') }
  const rules = refineRules(model, prompt)
  const answers = []
  for (const batch of planBatches(refinable, rules)) {
    const { value } = await askForObject(model, {
      instructions: rules.instructions,
      messages: [{ role: 'user', text: batch.message }],
      schema: EXTRACT_ANSWER,
      schemaName: 'memories',
      maxOutputTokens: rules.maxOutputTokens,
    })
    answers.push(readAnswer(refinable, batch, value))
  }
  const { memories } = mergeMemories(refinable, answers, 0)
  const kept = answers.flatMap((answer) => answer.memories.map(({ content }) => content.narrative ?? ''))
  const ofModel = memories.filter(({ content }) => kept.includes(content.narrative ?? ''))
  return { scripted, kept, byRules, byModel: judgeOutcome(passage, { ...item, memories: ofModel }) }
}

function refinableItem(passage: LabelledPassage, item: IndexedItem): RefinableItem {
  const { sourceType, userName, timeZone, uploadedAt } = passage
  const { kind, title, chunks, memories, qas } = item
  return { sourceType, userName, timeZone, uploadedAt, kind, title, chunks, chunkCount: chunks.length, memories, qas }
}

function report(measured: readonly ModelOutcome[]): string {
  const rows = KINDS.map((kind) => {
    const some = measured.flatMap(({ scripted, kept }) =>
      scripted.filter(({ is }) => is === kind).map((one) => [one, kept] as const),
    )
    const stored = some.filter(([{ narrative }, kept]) => kept.some((one) => isThatOne(one, narrative)))
    const resolved = stored.filter(([{ narrative }, kept]) => !kept.includes(narrative))
    return tableRow([kind, some.length, stored.length, kind === 'unresolved' ? resolved.length : '-'])
  })
  return [
    ...tableHead(['answer of the model', 'memories', 'kept', 'of these with its days resolved']),
    ...rows,
    '',
    ...memoryTableHead(),
    memoryRow(
      'by rules',
      measured.map(({ byRules }) => byRules),
    ),
    memoryRow(
      'kept of the model',
      measured.map(({ byModel }) => byModel),
    ),
  ].join('\n')
}

/** Days may have been added in brackets. */
function isThatOne(stored: string, narrative: string): boolean {
  const bare = (text: string) => text.replace(/ \(\d{1,2} \p{Lu}\p{L}+ \d{4}\)/gu, '')
  return bare(stored) === bare(narrative)
}
