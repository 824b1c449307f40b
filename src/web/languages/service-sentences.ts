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
  return found === undefined ? sentence : fillSentence(sentences[found.code], found.parameters)
}
