import { fileURLToPath } from 'node:url'

/** Absolute path of a file or folder that is shipped beside the code: `models/...`, `config/...`, `samples/...`. */
export function packagePath(relative: string): string {
  // src/kit/x.ts and dist/kit/x.js are both two folders below the root.
  return fileURLToPath(new URL(`../../${relative}`, import.meta.url))
}
