import type { SourceType } from '../../../domain/source-type.ts'
import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { plainText, sentencesOf } from '../../../lib/sentences.ts'
import { isIssue, isOfMail } from '../../recall/provenance.ts'
import { clipWords } from '../../recall/quote-text.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { fittingSentences, type LeadSentence } from '../lead-quotation.ts'
import { type AskedQuestion, contentTerms } from '../sentences/answer-sentence.ts'
import { entriesSource, MOST_OF_ENTRIES, type NoteAnswer } from './note-answer.ts'

const BOX = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?\[([ xX])\]\s+(\S.*)$/gm
/** What the template of an issue or a pull request lets its author confirm; not `I have to call the vendor`. */
const OF_TEMPLATE = /^I (?:(?:have )?(?:read|followed|added|tested|checked|signed)|agree|confirm)\b|^I['’]ve\b/i
const ASKS_OPEN =
  /^\W*(?:and |so )?(?:(?:what|which|what['’]s)\b.*\b(?:still|left|open|remaining|remains|outstanding|missing|unfinished|to-?dos?|(?:to|be) do(?:ne)?)\b|(?:list|show) .*\b(?:to-?dos|open|tasks)\b)/i
/** `What's on my to-do list?` asks for all of one. */
const ASKS_LIST = /\bto-?do(?:s| list)\b/i
const ASKS_DOING =
  /\b(?:do|done|to-?dos?|tasks?|items?|points?|steps?|work|finished?|left|remains?|remaining|missing|open)\b/i
/** Words of a question for open tasks that its answer lacks. */
const ASKING = new Set(
  analyze(`still left open remain remaining remains outstanding missing unfinished do done todo todos to-do to-dos task tasks item
    items point points step steps work finish finished have has had need needs must should get list lists show`),
)

/** The state of the task `- [x] Call Ann` with these words; `undefined` if there is none. */
export function boxState(text: string, words: string): 'open' | 'done' | undefined {
  const found = [...text.matchAll(BOX)].find(([, , task = '']) => words.startsWith(plainText(task)))
  return found && (found[1] === ' ' ? 'open' : 'done')
}

/** The tasks of a text that are not checked off. */
export function openTasks(text: string, sourceType: SourceType): readonly string[] {
  return [...text.matchAll(BOX)].flatMap(([, mark, task = '']) =>
    mark === ' ' && !(isIssue(sourceType) && OF_TEMPLATE.test(task)) ? [plainText(task)] : [],
  )
}

/** The unchecked tasks of a note about the subject: `What still has to be done for the kitchen?`, or of the best one for `my to-do list`. */
export function openBoxes(question: AskedQuestion, { found }: Evidence): NoteAnswer | undefined {
  if (!ASKS_OPEN.test(question.text) || !ASKS_DOING.test(question.text)) return undefined
  const subject = contentTerms(question.terms, question.people).filter(({ term }) => !ASKING.has(term))
  if (subject.length === 0 && !ASKS_LIST.test(question.text)) return undefined
  const about = found.flatMap(({ one }) =>
    (isOfMail(one) && !isIssue(one.row.sourceType)) || !isAbout(one, subject) ? [] : [one],
  )
  const first = about.find(({ row, passage }) => openTasks(passage.text, row.sourceType).length > 0)
  if (first === undefined) return undefined
  const parts = about.filter(({ row }) => row.itemKey === first.row.itemKey)
  const lists = parts
    .toSorted((a, b) => a.row.ordinal - b.row.ordinal)
    .flatMap((one) => {
      const open = openSentences(one)
      return open.length === 0 ? [] : [{ one, open }]
    })
  const sources = lists.flatMap(({ one, open }) => {
    const lead = fittingSentences(open, MOST_OF_ENTRIES / lists.length)
    return lead.length === 0 ? [] : [entriesSource(one, lead)]
  })
  const { title, fileName = first.row.itemId } = first.passage
  const count = lists.reduce((sum, { one }) => sum + openTasks(one.passage.text, one.row.sourceType).length, 0)
  return { kind: 'entries', title: title ?? fileName, sources, count, state: 'still open' }
}

/** Whether the title, headings and text of a note contain all words of the question. */
function isAbout({ row, passage }: ReadChunk, subject: AskedQuestion['terms']): boolean {
  if (row.kind !== 'prose' && !isIssue(row.sourceType)) return false
  const words = analyze(`${passage.title ?? ''}\n${passage.text}`).map(hashTerm)
  const held = new Set([...row.metaHashes, ...words])
  return subject.every(({ hash }) => held.has(hash))
}

function openSentences({ row, passage }: ReadChunk): readonly LeadSentence[] {
  // A task may have several sentences: `new pen before 31/10!! (old one runs out)`.
  const open = openTasks(passage.text, row.sourceType)
  return sentencesOf(passage.text, 'joined').flatMap((sentence, position) =>
    open.some((task) => task.includes(sentence)) ? [{ text: clipWords(sentence), position }] : [],
  )
}
