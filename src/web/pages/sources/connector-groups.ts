import type { Connector } from '../../../http/app/schemas/sources.ts'
import { connectorWords } from './connector-words.ts'

export interface ConnectorGroup {
  readonly title: string
  readonly connectors: readonly Connector[]
}

const TITLES = ['Work', 'Google', 'Microsoft', 'Coding agents', 'This computer', 'Other'] as const
type GroupTitle = (typeof TITLES)[number]

const PLACES: Readonly<Record<string, GroupTitle>> = {
  slack: 'Work',
  github: 'Work',
  asana: 'Work',
  claude_code: 'Coding agents',
  codex: 'Coding agents',
  cursor: 'Coding agents',
  vscode: 'Coding agents',
  browser: 'This computer',
  technical_docs: 'This computer',
  text: 'This computer',
  pdf: 'This computer',
}

/** The connectors that fit what is searched for, by where their sources are; groups without any are left out. */
export function connectorGroups(connectors: readonly Connector[], search: string): readonly ConnectorGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = connectors.filter((connector) => {
    const text = [connector.id, connector.title, groupOf(connector), connectorWords(connector), connector.about.item]
      .join(' ')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return TITLES.map((title) => ({ title, connectors: fitting.filter((one) => groupOf(one) === title) })).filter(
    (group) => group.connectors.length > 0,
  )
}

function groupOf({ id, grant }: Connector): GroupTitle {
  if (grant?.provider === 'google') return 'Google'
  if (grant?.provider === 'microsoft') return 'Microsoft'
  return PLACES[id] ?? 'Other'
}
