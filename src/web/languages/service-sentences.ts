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
  const { expected } = found.parameters
  if (expected === undefined) return fillSentence(sentences[found.code], found.parameters)
  const form = translatedSentence(expected)
  // Half a sentence in another language reads worse than a whole one.
  return form === expected ? sentence : fillSentence(sentences[found.code], { ...found.parameters, expected: form })
}
