import { fileURLToPath } from 'node:url'

/** Absolute path of a file or folder that is shipped beside the code: `models/...`, `config/...`, `samples/...`. */
export function packagePath(relative: string): string {
  // Two folders below the root, both in src/lib and in the bundle, dist/program.
  return fileURLToPath(new URL(`../../${relative}`, import.meta.url))
}
