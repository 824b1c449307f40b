import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './schema.ts'

/** The place of a value in a statement that is compiled before its values are known. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Stands for the value `name` of `CompiledStatements.run` while the statement is built. */
export function slot<Value>(name: string): Value {
  // Kysely binds any object as it is.
  return new Slot(name) as Value
}

/** Statements of the hot path, each compiled once: building and compiling one takes as long as running it. */
export class CompiledStatements {
  readonly #compiled = new Map<string, CompiledQuery>()

  /**
   * @param form differs between statements of different text
   * @param build the statement, with a `slot` for each of `values`
   */
  async run<Row>(
    db: Db,
    form: string,
    values: Readonly<Record<string, unknown>>,
    build: () => Compilable<Row>,
  ): Promise<Row[]> {
    let compiled = this.#compiled.get(form)
    if (compiled === undefined) {
      compiled = build().compile()
      this.#compiled.set(form, compiled)
    }
    const parameters = compiled.parameters.map((value) => (value instanceof Slot ? values[value.name] : value))
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters } as CompiledQuery<Row>)
    return rows
  }
}
