import type { ModelTrial } from '../../models/configured/try-models.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { type Finding, ok, problem, skipped } from './finding.ts'
import { messages } from './messages.ts'

/** The built-in embedding model, then every model in config.yaml. */
export async function modelFindings(context: Context): Promise<Finding[]> {
  const builtIn = await context.modelProblem()
  const first = builtIn === undefined ? ok('model', messages.builtInModel) : problem('model', builtIn)
  try {
    context.config()
  } catch (error) {
    return [first, skipped('models', messages.notTested(failureSentence(error)))]
  }
  try {
    return [first, ...(await context.tryModels()).map(trialFinding)]
  } catch (error) {
    return [first, problem('models', failureSentence(error))]
  }
}

function trialFinding(trial: ModelTrial): Finding {
  const { kind, model, problem: wrong, seconds = 0, rate, keepsToSchema, price } = trial
  // Errors of a model already name it.
  if (wrong !== undefined) return problem(kind, wrong.startsWith(model) ? wrong : messages.modelProblem(model, wrong))
  const parts = [
    messages.modelResponds(model, twoFigures(seconds)),
    ...(rate ? [messages.rate(twoFigures(rate.perSecond), rate.unit)] : []),
    ...(keepsToSchema === undefined ? [] : [keepsToSchema ? messages.keepsToSchema : messages.needsTwoTries]),
  ]
  const { kind: _, problem: __, ...measured } = trial
  return ok(kind, [parts.join(', '), ...(price ? [priceText(price, kind)] : [])].join('; '), measured)
}

function priceText(price: NonNullable<ModelTrial['price']>, kind: ModelTrial['kind']): string {
  if (price === 'unknown') return messages.priceUnknown
  if (kind !== 'language') return messages.price(price.input)
  return messages.prices(price.input, price.output)
}

/** Two significant figures, because it was measured only once. */
function twoFigures(value: number): string {
  return String(Number(value.toPrecision(2)))
}
