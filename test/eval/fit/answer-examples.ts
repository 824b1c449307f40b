import type { Embedder } from '../../../src/models/model.ts'
import { type WeighedEvidence, weighEvidence } from '../../../src/retrieval/answer/answer-confidence.ts'
import { decidingSentenceFirst } from '../../../src/retrieval/answer/deciding-sentence.ts'
import { readEvidence } from '../../../src/retrieval/answer/evidence/read-evidence.ts'
import { readSentences } from '../../../src/retrieval/answer/evidence/read-sentences.ts'
import type { SentenceFeatures } from '../../../src/retrieval/answer/sentences/answer-sentence.ts'
import { formatDay } from '../../../src/retrieval/recall/provenance.ts'
import { type RecallSources, rankChunks } from '../../../src/retrieval/recall/rank-chunks.ts'
import { statedDate } from '../../../src/retrieval/recall/stated-date.ts'
import { type AskedAccount, openAnswerService } from '../answer-service.ts'
import { isRightAnswer } from '../answer-words.ts'
import { askWith, type InstalledModels } from '../encoder.ts'
import { askedAt, type EvaluationQuestion, type EvaluationSet } from '../evaluation-set.ts'
import { homeTime } from '../home/home-time.ts'
import { holds, plain } from '../home/mark-answer.ts'
import { homeQuestions, type OwnQuestion } from '../home/questions.ts'
import { type Life, lifeAccount, lifeQuestions } from '../lives/lives.ts'
import { homeAccount, isUnanswerable, setAccounts } from '../measure-answers.ts'

/** One question: the sentences that may answer it, best first, and which of them do. */
export interface AnswerExample {
  readonly set: string
  /** `moved`: asked of another collection, where nothing answers it. */
  readonly role: 'answerable' | 'unanswerable' | 'moved'
  readonly sentences: readonly SentenceFeatures[]
  /** Parallel to `sentences`; empty when there is no answer. */
  readonly isRight: readonly boolean[]
  /** Absent when nothing was found. */
  readonly evidence?: WeighedEvidence
}

/** Every fourth question is asked of another collection too. */
const MOVED = 4

/**
 * The questions of the home that are for development.
 * @param models plugged in beside the built-in model
 */
export async function homeExamples(embedder: Embedder, models?: InstalledModels): Promise<AnswerExample[]> {
  const questions = homeQuestions('dev').map((question) => ({ ...question, at: homeTime(question.askedAt) }))
  return ownExamples(homeAccount(), questions, embedder, models)
}

/** The questions of a made-up life. */
export async function lifeExamples(life: Life, embedder: Embedder, models?: InstalledModels): Promise<AnswerExample[]> {
  const account = lifeAccount(life)
  const questions = lifeQuestions(life).map((question) => ({ ...question, at: account.uploadedAt }))
  return ownExamples(account, questions, embedder, models)
}

async function ownExamples(
  account: AskedAccount,
  questions: readonly (OwnQuestion & { readonly at: Date })[],
  embedder: Embedder,
  models: InstalledModels | undefined,
): Promise<AnswerExample[]> {
  await using service = await openAnswerService(account.id, [account], embedder, models)
  const sources = { index: await service.index(account.id), embedder, ...(models && (await askWith(models, embedder))) }
  const examples: AnswerExample[] = []
  for (const { text, at: now, answer } of questions) {
    const isRight = (sentence: string) => answer?.every((group) => holds(plain(sentence), group)) === true
    const question = { text, now, ...(now < account.uploadedAt && { until: now }), isRight }
    const role = answer === undefined ? 'unanswerable' : 'answerable'
    examples.push({ set: account.id, role, ...(await readExample(question, account, sources)) })
  }
  return examples
}

export async function setExamples(
  set: EvaluationSet,
  embedder: Embedder,
  models?: InstalledModels,
): Promise<AnswerExample[]> {
  const accounts = setAccounts(set)
  await using service = await openAnswerService(set.name, accounts, embedder, models)
  const asking = models && (await askWith(models, embedder))
  const examples: AnswerExample[] = []
  const read = async (role: AnswerExample['role'], question: EvaluationQuestion, account: AskedAccount) => {
    const isRight = role === 'answerable' ? rightSentence(question, set) : () => false
    const asked = { text: question.text, now: askedAt(set), isRight }
    const sources = { index: await service.index(account.id), embedder, ...asking }
    examples.push({ set: set.name, role, ...(await readExample(asked, account, sources)) })
  }
  for (const [n, question] of set.questions.entries()) {
    const own = accounts.findIndex(({ id }) => id === question.collection)
    if (isUnanswerable(question)) {
      await read('unanswerable', question, accounts[own]!)
      continue
    }
    if (!question.answer && question.evidence.length === 0) continue
    await read('answerable', question, accounts[own]!)
    if (n % MOVED === 0) await read('moved', question, accounts[(own + 1) % accounts.length]!)
  }
  return examples
}

/** Without an answer in words, a sentence of the evidence is one. */
function rightSentence({ answer, collection, evidence }: EvaluationQuestion, { collections }: EvaluationSet) {
  if (answer) return (sentence: string) => isRightAnswer(answer, sentence)
  const turns = collections.find(({ id }) => id === collection)?.sessions.flatMap((session) => session.turns) ?? []
  const text = turns.filter(({ id }) => evidence.includes(id)).map((turn) => turn.text)
  return (sentence: string) => isRightAnswer(sentence, text.join(' '))
}

interface ReadQuestion {
  readonly text: string
  readonly now: Date
  readonly until?: Date
  readonly isRight: (sentence: string) => boolean
}

async function readExample(
  { text, now, until, isRight }: ReadQuestion,
  { timeZone, userName }: AskedAccount,
  sources: RecallSources,
): Promise<Pick<AnswerExample, 'sentences' | 'isRight' | 'evidence'>> {
  const ranking = await rankChunks(text, until ? { until } : {}, { ...sources, now, timeZone, userName })
  if (ranking.ranked.length === 0) return { sentences: [], isRight: [] }
  const evidence = await readEvidence(ranking, sources.index, timeZone)
  const read = await readSentences(text, evidence, sources.embedder, { timeZone, userName })
  const deciding = decidingSentenceFirst(read, evidence, userName)
  return {
    sentences: read.sentences.map(({ features }) => features),
    isRight: read.sentences.map((sentence) => {
      const { row } = read.read[sentence.passage]!
      if (row.at === undefined) return isRight(sentence.text)
      const day = statedDate(sentence.text, row, timeZone)?.date ?? formatDay(new Date(row.at), timeZone)
      return isRight(`${sentence.text} ${day}`)
    }),
    evidence: weighEvidence(text, evidence, read, userName, deciding.read.sentences[0]),
  }
}
