import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import { AppError } from '../domain/errors.ts'

const SAMPLERS: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

/**
 * Which traces are sent: by OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG, which the SDK leaves to whoever opens it.
 *
 * @throws AppError `invalid`, naming the variable at fault and what it accepts
 */
export function traceSampler(env: Readonly<Record<string, string | undefined>>): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const make = Object.hasOwn(SAMPLERS, name) ? SAMPLERS[name] : undefined
  if (make === undefined) {
    const known = Object.keys(SAMPLERS).join(', ')
    throw new AppError('invalid', `OTEL_TRACES_SAMPLER must be one of ${known}, but is ${JSON.stringify(name)}`)
  }
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || '1')
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new AppError('invalid', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  }
  return make(ratio)
}
