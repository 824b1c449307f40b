import type { Connector } from '../../../http/app/schemas/sources.ts'

export interface ConnectorGroup {
  readonly title: Connector['group']
  readonly connectors: readonly Connector[]
}

/** The groups in display order. */
const TITLES = Object.keys({
  Work: true,
  Google: true,
  Microsoft: true,
  'Coding agents': true,
  'This computer': true,
  Other: true,
} satisfies Record<Connector['group'], true>) as Connector['group'][]

/** The connectors that match the search, by group; empty groups are omitted. */
export function connectorGroups(connectors: readonly Connector[], search: string): readonly ConnectorGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = connectors.filter(({ id, title, group, summary, about }) => {
    const text = [id, title, group, summary, about.item].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return TITLES.map((title) => ({ title, connectors: fitting.filter(({ group }) => group === title) })).filter(
    ({ connectors: members }) => members.length > 0,
  )
}
