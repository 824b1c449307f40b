import { analyze, hashTerm } from '../lib/analyze.ts'
import { sentencesOf } from '../lib/sentences.ts'
import type { Embedder } from '../models/model.ts'
import type { AnswerKind } from './answer-kind.ts'
import type { QueryTerm } from './query-terms.ts'
import { SENTENCE_WEIGHTS } from './weights.ts'

/** A passage in which an answer is looked for, best first. */
export interface AnswerPassage {
  readonly text: string
  readonly speaker: string | undefined
  /** As `RankedChunk.share`. */
  readonly share: number
}

/** A sentence that may answer. */
export interface AnswerSentence {
  /** Index of its passage. */
  readonly passage: number
  /** Index in `sentences` of the passage. */
  readonly position: number
  readonly text: string
  /** Linear score of the fitted model; comparable between the sentences of one question. */
  readonly score: number
  /** Said by a person whom the question names, or naming one; true for all when it names nobody. */
  readonly isAboutAsked: boolean
  readonly features: SentenceFeatures
}

/** What the choice of a sentence looks at; each in [0, 1]. */
export interface SentenceFeatures {
  /** Share of the question's weight, its names left out, that stands in the sentence. */
  readonly coverage: number
  /** Token match with the question, as a share of a perfect one. */
  readonly soft: number
  readonly cosine: number
  /** Share of the passage. */
  readonly share: number
  readonly isBestPassage: number
  readonly isQuestion: number
  /** Holds what the question asks for: a time, a number, a reason, a name. */
  readonly holdsKind: number
  /** Words that are not in the question. */
  readonly newWords: number
  readonly newNames: number
  /** Thanks, greetings and exclamations of a few words. */
  readonly isChatter: number
  readonly isByAsked: number
  readonly isOpening: number
  readonly length: number
}

export interface AskedQuestion {
  readonly text: string
  readonly kind: AnswerKind
  readonly terms: readonly QueryTerm[]
  /** Terms of names that the question spells with a capital. */
  readonly names: ReadonlySet<string>
  /** People whom the question names and who speak in the passages. */
  readonly asked: ReadonlySet<string>
}

const QUESTION_END = /[?？]["”’)\]]*$/
const CHATTER =
  /^(?:thanks?|thank you|wow|cool|nice|great|awesome|yeah|yep|hey|hi|hello|congrats|congratulations|ok|okay|fine|sure)\b/i
const FEW_WORDS = 6
const MANY_NEW_WORDS = 8
const MANY_NEW_NAMES = 2
const LONG_SENTENCE_TERMS = 20
const INNER_NAME = /(?<!^)(?<![.!?…:]\s)\b\p{Lu}[\p{L}\p{M}]+/gu
const TIME = new RegExp(
  `\\b(?:(?:19|20)\\d\\d|${[
    'january|february|march|april|may|june|july|august|september|october|november|december',
    'monday|tuesday|wednesday|thursday|friday|saturday|sunday|yesterday|today|tonight|tomorrow|last|next|ago',
    'week|weekend|month|year|morning|afternoon|evening|noon|midnight|summer|autumn|winter|spring',
  ].join('|')}|\\d{1,2}(?::\\d\\d)?\\s?[ap]m|\\d{1,2}:\\d\\d|\\d+ (?:days?|weeks?|months?|years?|hours?|minutes?))\\b`,
  'i',
)
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|once|twice|couple|several|dozen|hundred|thousand)\b/i
const REASON = /\b(?:because|since|due to|as a result|reason|so that|in order to|wanted to|caused?|thanks to)\b/i

/** Sentences of all passages with their scores, best first. */
export async function rankSentences(
  question: AskedQuestion,
  passages: readonly AnswerPassage[],
  embedder: Embedder,
): Promise<AnswerSentence[]> {
  const found = passages.flatMap((passage, i) =>
    sentencesOf(passage.text).map((text, position) => ({ text, position, passage: i, from: passage })),
  )
  if (found.length === 0) return []
  const texts = found.map(({ text }) => text)
  const [soft, cosine] = await Promise.all([softShares(question, texts, embedder), cosines(question, texts, embedder)])
  const words = createWordReader(question)
  return found
    .map(({ text, position, passage, from }, i): AnswerSentence => {
      const features: SentenceFeatures = {
        ...words(text, from.speaker),
        soft: soft[i]!,
        cosine: cosine[i]!,
        share: from.share,
        isBestPassage: passage === 0 ? 1 : 0,
        isOpening: position === 0 ? 1 : 0,
      }
      const isNamed = features.isByAsked === 1 || namesAsked(text, question.asked)
      return { passage, position, text, features, score: sentenceScore(features), isAboutAsked: isNamed }
    })
    .sort((a, b) => b.score - a.score || a.passage - b.passage || a.position - b.position)
}

function sentenceScore(features: SentenceFeatures): number {
  let score = 0
  for (const [name, weight] of Object.entries(SENTENCE_WEIGHTS))
    score += weight * features[name as keyof SentenceFeatures]
  return score
}

function namesAsked(text: string, asked: ReadonlySet<string>): boolean {
  return asked.size === 0 || analyze(text).some((term) => asked.has(term))
}

/** The features that the words of a sentence have. */
function createWordReader({ terms, names, asked, kind }: AskedQuestion) {
  const content = terms.filter(({ term }) => !names.has(term))
  const total = content.reduce((sum, { weight }) => sum + weight, 0)
  const known = new Set(terms.map(({ hash }) => hash))
  return (text: string, speaker: string | undefined) => {
    const held = new Set(analyze(text).map(hashTerm))
    const covered = content.reduce((sum, { hash, weight }) => sum + (held.has(hash) ? weight : 0), 0)
    const newNames = (text.match(INNER_NAME) ?? []).filter((name) => analyze(name).some((term) => !names.has(term)))
    const fresh = [...held].filter((hash) => !known.has(hash)).length
    const isByAsked = speaker !== undefined && analyze(speaker).some((term) => asked.has(term))
    return {
      coverage: total === 0 ? 0 : covered / total,
      isQuestion: QUESTION_END.test(text) ? 1 : 0,
      holdsKind: holdsKind(kind, text, newNames.length) ? 1 : 0,
      newWords: Math.min(1, fresh / MANY_NEW_WORDS),
      newNames: Math.min(1, newNames.length / MANY_NEW_NAMES),
      isChatter: CHATTER.test(text) && held.size < FEW_WORDS ? 1 : 0,
      isByAsked: isByAsked ? 1 : 0,
      length: Math.min(1, Math.log(1 + held.size) / Math.log(1 + LONG_SENTENCE_TERMS)),
    }
  }
}

function holdsKind(kind: AnswerKind, text: string, newNames: number): boolean {
  if (kind === 'time') return TIME.test(text)
  if (kind === 'number') return NUMBER.test(text)
  if (kind === 'reason') return REASON.test(text)
  return (kind === 'person' || kind === 'place') && newNames > 0
}

async function softShares({ text }: AskedQuestion, sentences: readonly string[], { tokens }: Embedder) {
  if (tokens === undefined) return new Float32Array(sentences.length)
  const ids = Uint16Array.from(new Set(tokens.encode(text)))
  const weights = new Float32Array(ids.length).fill(1 / Math.max(1, ids.length))
  return tokens.match(
    ids,
    weights,
    sentences.map((sentence) => tokens.encode(sentence)),
  )
}

async function cosines({ text }: AskedQuestion, sentences: readonly string[], embedder: Embedder) {
  const vectors: Float32Array[] = []
  const all = [text, ...sentences]
  for (let start = 0; start < all.length; start += embedder.maxBatch) {
    vectors.push(...(await embedder.embed(all.slice(start, start + embedder.maxBatch))))
  }
  const [asked, ...others] = vectors
  return others.map((vector) =>
    Math.max(
      0,
      vector.reduce((sum, value, d) => sum + value * asked![d]!, 0),
    ),
  )
}
