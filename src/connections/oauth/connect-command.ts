import type { OAuthProvider } from '../../connector/oauth-provider.ts'

/** The command that asks for a grant of a family, as it stands in sentences: `"recalld connect google"`. */
export function connectCommand({ id, families }: Pick<OAuthProvider, 'id' | 'families'>, family: string): string {
  const connectors = families.find((one) => one.id === family)?.connectors ?? []
  // By its own name alone, such a connector asks for a token.
  if (connectors.includes(id)) return `"recalld connect ${id} --oauth"`
  // The name of a provider stands for its first family.
  const [first] = families
  return `"recalld connect ${first?.id === family ? id : (connectors[0] ?? id)}"`
}
