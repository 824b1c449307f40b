import { readFileSync } from 'node:fs'
import { packagePath } from '../../lib/package-root.ts'

/** Names of files in config/prompts: what a model is told is part of what made its answers. */
export type PromptVersion = 'answer.v1' | 'extract.v1'

export const EXTRACT_PROMPT = 'extract.v1'

export function readPrompt(version: PromptVersion): { readonly version: PromptVersion; readonly text: string } {
  return { version, text: readFileSync(packagePath(`config/prompts/${version}.md`), 'utf8').trim() }
}
