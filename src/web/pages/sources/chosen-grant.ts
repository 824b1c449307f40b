import type { Grant, Grants } from '../../../http/app/schemas/grants.ts'

/** Grants that can serve a connector; those that still hold first. */
export function fittingGrants(grants: Grants | undefined, connector: string): readonly Grant[] {
  const fitting = grants?.grants.filter((grant) => grant.connectors.includes(connector)) ?? []
  return fitting.toSorted((one, other) => Number(one.refusal !== null) - Number(other.refusal !== null))
}

/** Stands for the one that is about to be granted. */
export const NEW_GRANT = 'new'

/** The one that was chosen; else the first that holds. */
export function chosenGrant(grants: Grants | undefined, connector: string, grantId: string | null): Grant | undefined {
  if (grantId === NEW_GRANT) return undefined
  const fitting = fittingGrants(grants, connector)
  return fitting.find((grant) => grant.id === grantId) ?? fitting.find((grant) => grant.refusal === null)
}
