/**
 * One step of the pipeline: a function with a name and a version, pure in the sense that the same input gives the same
 * output: no store, no network, no clock. Raising the version rebuilds older output in the background.
 */
export interface Stage<Name extends string, Input, Output> {
  readonly name: Name
  readonly version: number
  run(input: Input): Promise<Output>
}
