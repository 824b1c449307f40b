import type { Chunk, ExtractedQa } from '../../domain/document.ts'
import { analyze } from '../../lib/analyze.ts'
import { clip, sentencesOf } from '../../lib/sentences.ts'
import { HEADING_SEPARATOR } from '../segment/heading-path.ts'
import type { Passage } from './passages.ts'
import { type People, splitAddressee, withoutQuotedLines } from './people.ts'
import { isAcknowledgement, isChatter } from './salience.ts'

const LONGEST_QUESTION = 300
const LONGEST_ANSWER = 1_000
/** Number of turns after a question that are searched for the answer. */
const ANSWER_WITHIN_TURNS = 4
const ANSWER_WITHIN_MS = 12 * 3_600_000

const QUESTION_MARK = /[?？؟]["'”’)\]]*$/
const YES_NO =
  /^(?:(?:hey|hi|so|and|but|ok|okay)[,\s]+)*(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|may|shall|isn['’]t|aren['’]t|don['’]t|doesn['’]t|didn['’]t|can['’]t|won['’]t)\b/i
const YES_OR_NO =
  /^(?:yes|yeah|yep|yup|no|nope|nah|sure|correct|right|exactly|not yet|not really|definitely|absolutely|of course)\b/i
const FOREIGN_YES_OR_NO = /^(?:ja|nein|doch|oui|non|sí|да|нет|是的?|不是?|对|はい|いいえ|네|아니요?)(?![\p{L}\p{N}])/iu
const CONFIRMS =
  /\b(?:thanks|thank you|thx|that (?:worked|works|did it|helps|helped)|works now|perfect|got it|solved|fixed it|makes sense)\b/i
const QUESTION_LABEL =
  /^\s*(?:[-*>#]+\s*)?(?:\*\*|__)?(?:Q|Question|F|Frage|Вопрос|问|問)\s*\d{0,3}\s*[:.：](?:\*\*|__)?\s*(?=\S)/i
const ANSWER_LABEL = /^\s*(?:[-*>#]+\s*)?(?:\*\*|__)?(?:A|Answer|Antwort|Ответ|答)\s*\d{0,3}\s*[:.：](?:\*\*|__)?\s*/i

/** Pairs of a question and its answer, from headings, from `Q:` and `A:`, and from turns. */
export function findQuestions(chunks: readonly Chunk[], passages: readonly Passage[], people: People): ExtractedQa[] {
  const prose = chunks.filter((chunk) => chunk.kind === 'prose')
  const turns = passages.filter((passage) => passage.form === 'turns').flatMap((passage) => passage.chunks)
  const exchanges = passages.filter((passage) => passage.form === 'exchange')
  return [
    ...fromHeadings(prose),
    ...prose.flatMap(fromLabels),
    ...prose.flatMap(fromQuestionLines),
    ...fromTurns(
      turns.filter((turn) => turn.kind === 'turn'),
      people,
    ),
    ...exchanges.flatMap((exchange) => fromTurns(exchange.chunks, people)),
  ]
}

/** "How do I ...?" above its answer. */
function fromHeadings(chunks: readonly Chunk[]): ExtractedQa[] {
  return chunks.flatMap((chunk, i) => {
    if (!chunk.heading || chunks[i - 1]?.heading === chunk.heading) return []
    const question = chunk.heading.split(HEADING_SEPARATOR).at(-1) ?? ''
    return QUESTION_MARK.test(question) && question !== chunk.text ? [pair(question, chunk.text, chunk)] : []
  })
}

function fromLabels(chunk: Chunk): ExtractedQa[] {
  const pairs: ExtractedQa[] = []
  let question: string[] = []
  let answer: string[] | undefined
  const close = () => {
    if (question.length > 0 && answer && answer.join('').trim() !== '') {
      pairs.push(pair(question.join(' '), answer.join('\n'), chunk))
    }
    question = []
    answer = undefined
  }
  for (const line of chunk.text.split('\n')) {
    if (QUESTION_LABEL.test(line)) {
      close()
      question.push(line.replace(QUESTION_LABEL, ''))
    } else if (question.length > 0 && ANSWER_LABEL.test(line)) {
      answer = [line.replace(ANSWER_LABEL, '')]
    } else if (answer) answer.push(line)
    else if (question.length > 0) question.push(line)
  }
  close()
  return pairs
}

/** Questions on separate lines with their answers below; a single one may be rhetorical. */
function fromQuestionLines(chunk: Chunk): ExtractedQa[] {
  if (!/[?？]/.test(chunk.text)) return []
  const pairs: ExtractedQa[] = []
  let question: string | undefined
  let answer: string[] = []
  const close = () => {
    if (question !== undefined && answer.join('').trim() !== '') pairs.push(pair(question, answer.join('\n'), chunk))
    answer = []
  }
  for (const line of chunk.text.split('\n')) {
    const words = line.replace(/^\s*(?:[-*>#]+|\d{1,3}[.)])?\s*|[*_]{2}|\s+$/g, '')
    const asks = words.length <= LONGEST_QUESTION && QUESTION_MARK.test(words) && !/[.!?。！？]\s/.test(words)
    if (asks && !QUESTION_LABEL.test(line)) {
      close()
      question = words
    } else answer.push(line)
  }
  close()
  return pairs.length >= 2 ? pairs : []
}

/**
 * A turn that asks, and a later turn of somebody else that is recognizable as the answer: it names the asker, says yes
 * or no to such a question, shares two words with it, or is confirmed by the asker (27 of 36 right on Slack; without
 * this condition 20 of 33).
 */
function fromTurns(turns: readonly Chunk[], people: People): ExtractedQa[] {
  return turns.flatMap((asking, i) => {
    const asked = askedIn(asking, people)
    if (!asked) return []
    for (let j = i + 1; j < Math.min(turns.length, i + 1 + ANSWER_WITHIN_TURNS); j++) {
      const reply = turns[j]
      if (!reply || isTooLate(asking, reply)) break
      if (reply.speaker === asking.speaker || reply.speaker === undefined) continue
      if (asked.to !== undefined && people.display(reply.speaker) !== asked.to) continue
      const { text } = splitAddressee(withoutQuotedLines(reply.text), people)
      if (answers(asked, text, reply, turns[j + 1])) return [pair(asked.question, text, reply)]
    }
    return []
  })
}

interface Asked {
  readonly question: string
  /** The last sentence of the question. */
  readonly last: string
  readonly terms: ReadonlySet<string>
  readonly by: string | undefined
  /** Display name of the only person who was asked. */
  readonly to: string | undefined
}

/**
 * The question that a turn ends with or consists of; `undefined` when it continues with other things, or asks "How are
 * you?".
 */
function askedIn(turn: Chunk, people: People): Asked | undefined {
  if (!/[?？؟]/.test(turn.text)) return undefined
  const { to, text } = splitAddressee(withoutQuotedLines(turn.text), people)
  const sentences = sentencesOf(text).filter((sentence) => !isAcknowledgement(sentence))
  const at = sentences.findLastIndex((sentence) => QUESTION_MARK.test(sentence))
  const last = sentences[at]
  if (!last || sentences.length - at > 3) return undefined
  let from = at
  while (from > 0 && QUESTION_MARK.test(sentences[from - 1] ?? '')) from--
  // "Which one?" needs the sentence before it.
  if (from > 0 && analyze(sentences.slice(from, at + 1).join(' ')).length < 3) from--
  if (OPEN_CALL.test(last) || (isChatter(last) && !OPEN_QUESTION.test(last))) return undefined
  const question = sentences.slice(from, at + 1).join(' ')
  const terms = new Set(analyze(question))
  return terms.size < 2 ? undefined : { question, last, terms, by: turn.speaker, to }
}

function answers(asked: Asked, text: string, reply: Chunk, after: Chunk | undefined): boolean {
  if (QUESTION_MARK.test(text.trim()) && sentencesOf(text).length === 1) return false
  if ((YES_NO.test(asked.last) && YES_OR_NO.test(text)) || FOREIGN_YES_OR_NO.test(text)) return true
  if (sentencesOf(text).every(isChatter) || (text.length < 80 && /^(?:thanks|thank you|thx)\b/i.test(text)))
    return false
  if (namesPerson(reply.text, asked.by)) return true
  // A long spoken turn about other things has the words of any question somewhere.
  const beginning = text.length > LONG_ANSWER && !text.includes('\n') ? sentencesOf(text).slice(0, 3).join(' ') : text
  const shared = new Set(analyze(beginning).filter((term) => asked.terms.has(term))).size
  if (shared >= 2) return true
  return after !== undefined && after.speaker === asked.by && after.text.length < 200 && CONFIRMS.test(after.text)
}

const LONG_ANSWER = 400
/** `What did you do today?` can be answered, `Best of luck?` cannot. */
const OPEN_QUESTION = /^(?:so |and |but )?(?:what|which|who|when|where|why|how (?:much|many|long|far))\b/i
/** `Thoughts?` asks for no fact. */
const OPEN_CALL =
  /^(?:so |and |ok |okay )?(?:(?:any|your) )?(?:thoughts|ideas|opinions|feedback|objections|comments|questions|wdyt|what do you (?:all |both |guys )?think)(?: on (?:this|that))?\?+$/i

function namesPerson(text: string, speaker: string | undefined): boolean {
  const first = speaker?.split(/[\s<@]/).find((part) => part.length > 1)
  if (!first) return false
  const head = text.slice(0, 80).toLowerCase()
  return head.startsWith(first.toLowerCase()) || head.includes(`@${first.toLowerCase()}`)
}

function isTooLate(asking: Chunk, reply: Chunk): boolean {
  return (
    asking.at !== undefined && reply.at !== undefined && reply.at.getTime() - asking.at.getTime() > ANSWER_WITHIN_MS
  )
}

function pair(question: string, answer: string, chunk: Chunk): ExtractedQa {
  const asked = question.replace(/\s+/g, ' ').replace(/\*\*/g, '').trim()
  return {
    question: clip(asked.charAt(0).toUpperCase() + asked.slice(1), LONGEST_QUESTION),
    answer: clip(answer.trim(), LONGEST_ANSWER),
    chunk: chunk.ordinal,
  }
}
