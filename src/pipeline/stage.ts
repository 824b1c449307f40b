import type { StageName } from './pipeline-version.ts'

/**
 * One step of the pipeline: a function with a name, pure in the sense that the same input gives the same output: no
 * store, no network, no clock.
 */
export interface Stage<Name extends StageName, Input, Output> {
  readonly name: Name
  run(input: Input): Promise<Output>
}
