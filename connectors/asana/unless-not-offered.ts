import { SourceError } from '../../src/connector/source-error.ts'

/** Plans and tokens differ in what they offer: `undefined` for what cannot be read, which goes without. */
export async function unlessNotOffered<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof SourceError && error.remedy === 'skip') return undefined
    throw error
  }
}
