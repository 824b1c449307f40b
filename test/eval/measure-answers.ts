import type { AskResult } from '../../src/domain/results.ts'
import type { Embedder } from '../../src/models/model.ts'
import { classifyLoss, type Loss, type LossQuestion } from './answer-losses.ts'
import type { MarkedAnswer } from './answer-marks.ts'
import { type AnswerService, type AskedAccount, type AskedQuestion, openAnswerService } from './answer-service.ts'
import { firstLine, firstSentence, withoutSources } from './answer-text.ts'
import { isRightAnswer } from './answer-words.ts'
import { collectionOwner, collectionUploads } from './conversation-uploads.ts'
import type { InstalledModels } from './encoder.ts'
import { askedAt, type EvaluationQuestion, type EvaluationSet } from './evaluation-set.ts'
import { HOME_TIME_ZONE, homeTime } from './home/home-time.ts'
import { HOME_OWNER, homeUploads } from './home/home-uploads.ts'
import { holds, markOwnAnswer, plain } from './home/mark-answer.ts'
import { type HomeHalf, homeQuestions, type OwnQuestion } from './home/questions.ts'
import { type Life, lifeAccount, lifeQuestions } from './lives/lives.ts'

/** When the last item of the home came in; an earlier question sees what there was by then. */
const HOME_ENDS = '2026-05-29T17:00'

interface MeasureOptions {
  /** Says of each wrong answer where it was lost, which asks the question again. */
  readonly withLosses?: boolean
  /** Plugged in beside the built-in model. */
  readonly models?: InstalledModels | undefined
}

/** Asks one half of the questions of `home`, each at its own time. */
export async function measureHomeAnswers(
  half: HomeHalf,
  embedder: Embedder,
  options: MeasureOptions = {},
): Promise<MarkedAnswer[]> {
  const questions = homeQuestions(half).map((question) => ({ ...question, at: homeTime(question.askedAt) }))
  return measureOwnAnswers(homeAccount(), questions, embedder, options)
}

/** Asks the questions of a made-up life, of one half where it has two. */
export async function measureLifeAnswers(
  life: Life,
  half: HomeHalf,
  embedder: Embedder,
  options: MeasureOptions = {},
): Promise<MarkedAnswer[]> {
  const account = lifeAccount(life)
  const questions = lifeQuestions(life, half).map((question) => ({ ...question, at: account.uploadedAt }))
  return measureOwnAnswers(account, questions, embedder, options)
}

async function measureOwnAnswers(
  account: AskedAccount,
  questions: readonly (OwnQuestion & { readonly at: Date })[],
  embedder: Embedder,
  { withLosses = false, models }: MeasureOptions,
): Promise<MarkedAnswer[]> {
  await using service = await openAnswerService(account.id, [account], embedder, models)
  const answers: MarkedAnswer[] = []
  for (const question of questions) {
    const { kind, text, context, at, answer = [], evidence } = question
    const isEarlier = at < account.uploadedAt
    const asked = { account: account.id, text, at, ...(context && { context }), ...(isEarlier && { asOf: at }) }
    const { result, ms } = await timed(service, asked)
    const marks = markOwnAnswer(question, account.userName, result)
    const expected = answer.length === 0 ? 'nothing' : `${answer.join('; ')} (${evidence.join(', ')})`
    const lost = ownLossQuestion(question, at, isEarlier)
    const loss = withLosses && marks.right === false && (await lossOf(lost, result, account, service, embedder))
    answers.push({ kind, question: text, expected, response: result.response, marks, ms, ...(loss && { loss }) })
  }
  return answers
}

function ownLossQuestion({ text, answer, evidence }: OwnQuestion, now: Date, isEarlier: boolean): LossQuestion {
  return {
    text,
    now,
    ...(isEarlier && { until: now }),
    isRight: (words) => answer?.every((group) => holds(plain(words), group)) === true,
    isEvidence: (_, itemId) => evidence.some((id) => itemId.includes(id)),
  }
}

async function lossOf(
  question: LossQuestion,
  { response, abstained = false }: Pick<AskResult, 'response' | 'abstained'>,
  account: AskedAccount,
  service: AnswerService,
  embedder: Embedder,
): Promise<Loss> {
  return classifyLoss(question, { response, abstained }, { account, index: await service.index(account.id), embedder })
}

export function homeAccount(): AskedAccount {
  const uploadedAt = homeTime(HOME_ENDS)
  return { id: 'home', userName: HOME_OWNER, timeZone: HOME_TIME_ZONE, uploadedAt, uploads: homeUploads() }
}

/** An account for each collection of a set. */
export function setAccounts(set: EvaluationSet): AskedAccount[] {
  return set.collections.map((collection) => ({
    id: collection.id,
    userName: collectionOwner(collection),
    timeZone: 'UTC',
    uploadedAt: askedAt(set),
    uploads: collectionUploads(collection),
  }))
}

/** Asks the questions of a set that have an answer in words, or none at all. */
export async function measureSetAnswers(
  set: EvaluationSet,
  embedder: Embedder,
  { withLosses = false, models }: MeasureOptions = {},
): Promise<MarkedAnswer[]> {
  const accounts = setAccounts(set)
  await using service = await openAnswerService(set.name, accounts, embedder, models)
  const answers: MarkedAnswer[] = []
  for (const question of set.questions) {
    if (!isUnanswerable(question) && !question.answer) continue
    const answer = await askOne(question, askedAt(set), service)
    const account = accounts.find(({ id }) => id === question.collection)!
    const loss =
      withLosses &&
      answer.marks.right === false &&
      (await lossOf(
        setLossQuestion(question, set),
        { response: answer.response, abstained: answer.marks.abstained },
        account,
        service,
        embedder,
      ))
    answers.push({ ...answer, ...(loss && { loss }) })
  }
  return answers
}

async function askOne(question: EvaluationQuestion, at: Date, service: AnswerService): Promise<MarkedAnswer> {
  const { text, category, collection, answer = 'nothing' } = question
  const { result, ms } = await timed(service, { account: collection, text, at })
  const { response, abstained = false } = result
  const marks = isUnanswerable(question)
    ? { isAnswerable: false, abstained }
    : {
        isAnswerable: true,
        abstained,
        right: !abstained && isRightAnswer(answer, withoutSources(response)),
        first: !abstained && isRightAnswer(answer, firstLine(response)),
        sentence: !abstained && isRightAnswer(answer, firstSentence(response)),
      }
  return { kind: category, question: text, expected: answer, response, marks, ms }
}

/** A passage is evidence when it begins a turn that is. */
function setLossQuestion(
  { text, answer = '', collection, evidence }: EvaluationQuestion,
  set: EvaluationSet,
): LossQuestion {
  const turns = set.collections.find(({ id }) => id === collection)?.sessions.flatMap((session) => session.turns) ?? []
  const starts = turns.filter(({ id }) => evidence.includes(id)).map((turn) => turn.text.slice(0, TURN_START))
  return {
    text,
    now: askedAt(set),
    isRight: (words) => isRightAnswer(answer, words),
    isEvidence: (passage) => starts.some((start) => passage.includes(start)),
  }
}

/** Characters by which a turn is known in a passage. */
const TURN_START = 40

export function isUnanswerable({ category }: EvaluationQuestion): boolean {
  return category === 'unanswerable'
}

async function timed(service: AnswerService, question: AskedQuestion) {
  const startedAt = performance.now()
  const result = await service.ask(question)
  return { result, ms: performance.now() - startedAt }
}
