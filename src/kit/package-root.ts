import { fileURLToPath } from 'node:url'

/** Absolute path of a file or folder that is shipped beside the code: `models/...`, `config/...`, `samples/...`. */
export function packagePath(relative: string): string {
  // src/kit/x.ts is two folders below the root, the compiled dist/src/kit/x.js three.
  const root = import.meta.url.endsWith('.ts') ? '../../' : '../../../'
  return fileURLToPath(new URL(`${root}${relative}`, import.meta.url))
}
