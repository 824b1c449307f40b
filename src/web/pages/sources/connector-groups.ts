import type { Connector } from '../../../http/app/schemas/sources.ts'
import { messages } from './messages.ts'

export interface ConnectorGroup {
  readonly title: string
  readonly connectors: readonly Connector[]
}

/** The groups in display order. */
const GROUPS = Object.keys(messages.groups) as Connector['group'][]

/** The connectors that match the search, by group; empty groups are omitted. */
export function connectorGroups(connectors: readonly Connector[], search: string): readonly ConnectorGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = connectors.filter(({ id, title, group, summary, about }) => {
    const text = [id, title, group, summary, about.item].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return GROUPS.map((name) => ({
    title: messages.groups[name],
    connectors: fitting.filter(({ group }) => group === name),
  })).filter(({ connectors: members }) => members.length > 0)
}
