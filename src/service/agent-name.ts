import { withoutInvisible } from '../lib/without-invisible.ts'

export const AGENT_MAX_CHARACTERS = 100

/** Programs choose their names, so they are cut and cleaned. */
export function agentName(given: string | undefined): string {
  const name = withoutInvisible(given ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  return [...name].slice(0, AGENT_MAX_CHARACTERS).join('') || 'Unnamed agent'
}
