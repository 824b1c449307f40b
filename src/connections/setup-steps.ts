import type { Provider } from './grantable-sources.ts'
import type { ConnectorView } from './sync-service.ts'

/** How the person registers an OAuth client, as numbered lines. */
export function clientSteps({ id, clientSteps: steps }: Pick<Provider, 'id' | 'clientSteps'>): string {
  return numbered([...steps, `More, and why: docs/connect/${id}.md`])
}

/** How the person gets a token, as numbered lines. */
export function tokenSteps({ tokenSteps: steps, needs }: Pick<ConnectorView, 'tokenSteps' | 'needs'>): string {
  return numbered(steps ?? [`Get what this connector needs: ${needs}`])
}

function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')
}
