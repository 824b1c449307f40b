import { SERVICE_PROBLEMS } from '../../domain/service-problems.ts'
import { fillSentence, sentenceReader } from '../../domain/source-problems.ts'
import { translated } from './catalog.ts'

type Sentences = Readonly<Record<keyof typeof SERVICE_PROBLEMS, string>>
const sentences: Sentences = translated('serviceProblems', SERVICE_PROBLEMS)
const read = sentenceReader(SERVICE_PROBLEMS)

/**
 * An error of the service in the language of the page. Loaded only with a translation, because it needs the English
 * sentences to recognize them.
 */
export function translatedSentence(sentence: string): string {
  const found = read(sentence)
  if (found === undefined) return sentence
  const parts: Record<string, string> = {}
  for (const [name, value] of Object.entries(found.parameters)) {
    const part = OF_WORDS.has(name) ? translatedSentence(value) : value
    // Half a sentence in another language reads worse than a whole one.
    if (OF_WORDS.has(name) && part === value) return sentence
    parts[name] = part
  }
  return fillSentence(sentences[found.code], parts)
}

/** Parameters that are sentences of the service themselves. */
const OF_WORDS = new Set(['expected', 'fault', 'part'])
