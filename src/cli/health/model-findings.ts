import type { ModelTrial } from '../../models/configured/try-models.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { type Finding, ok, problem, skipped } from './finding.ts'

/** The built-in embedder, then every model that config.yaml names. */
export async function modelFindings(context: Context): Promise<Finding[]> {
  const builtIn = await context.modelProblem()
  const first = builtIn === undefined ? ok('model', 'the built-in embedder answers.') : problem('model', builtIn)
  try {
    context.config()
  } catch (error) {
    return [first, skipped('models', `not tried: ${failureSentence(error)}`)]
  }
  try {
    return [first, ...(await context.tryModels()).map(finding)]
  } catch (error) {
    return [first, problem('models', failureSentence(error))]
  }
}

function finding(trial: ModelTrial): Finding {
  const { kind, model, problem: wrong, seconds = 0, rate, keepsToSchema, price } = trial
  // Errors of a model name it already.
  if (wrong !== undefined) return problem(kind, wrong.startsWith(model) ? wrong : `${model}: ${wrong}`)
  const parts = [
    `${model} answers in ${figures(seconds)} s`,
    ...(rate ? [`${figures(rate.perSecond)} ${rate.unit}/s`] : []),
    ...(keepsToSchema === undefined ? [] : [keepsToSchema ? 'keeps to the schema' : 'needs two tries for the schema']),
  ]
  const { kind: _, problem: __, ...measured } = trial
  return ok(kind, [parts.join(', '), ...(price ? [priceText(price, kind)] : [])].join('; '), measured)
}

function priceText(price: NonNullable<ModelTrial['price']>, kind: ModelTrial['kind']): string {
  if (price === 'unknown') return 'costs are unknown: config.yaml has no price'
  if (kind !== 'language') return `${price.input} USD per million tokens`
  return `${price.input}/${price.output} USD per million tokens in/out`
}

/** To two figures, as what was measured once deserves. */
function figures(value: number): string {
  return String(Number(value.toPrecision(2)))
}
