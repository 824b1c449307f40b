import { type Meter, NO_METER } from './meter.ts'
import { NO_TRACER, type Tracer } from './tracer.ts'

/** Where the parts of recalld tell what they do, and how long it takes. */
export interface Telemetry {
  readonly meter: Meter
  readonly tracer: Tracer
}

export const NO_TELEMETRY: Telemetry = { meter: NO_METER, tracer: NO_TRACER }
