/** Icons that a connector can choose from; the web app draws each of them. */
export const CONNECTOR_ICONS = [
  'app',
  'book',
  'bot',
  'calendar',
  'check',
  'cloud',
  'code',
  'contacts',
  'file',
  'folder',
  'globe',
  'heart',
  'image',
  'list',
  'mail',
  'messages',
  'notebook',
  'people',
  'pull-request',
  'radio',
  'video',
] as const
export type ConnectorIcon = (typeof CONNECTOR_ICONS)[number]

/** Groups of the connector list, in the order in which they are shown. */
export const CONNECTOR_GROUPS = ['Work', 'Google', 'Microsoft', 'Coding agents', 'This computer', 'Other'] as const
export type ConnectorGroup = (typeof CONNECTOR_GROUPS)[number]

/** The noun for a partition of a connector, singular and plural: `channel`, `channels`. */
export interface PartNoun {
  readonly one: string
  readonly many: string
}

/** For connectors without a familiar noun, and for those that this version doesn't have. */
export const PART_NOUN: PartNoun = { one: 'part', many: 'parts' }
