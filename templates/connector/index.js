// @ts-check
import {
  apiUrlField,
  configuredToken,
  connectionFields,
  requestJson,
  SourceError,
  sourceItemId,
  tokenFields,
  z,
} from 'recalld/connector'

/** The settings of a connection in config.yaml. */
const config = z.strictObject({
  ...connectionFields(),
  ...tokenFields(),
  api_url: apiUrlField('http://127.0.0.1:8080'),
})

/** How far a notebook was read: the server numbers every change. */
const cursor = z.object({ version: z.int() })

const account = z.object({ id: z.string(), email: z.string() })
const notebooks = z.object({ notebooks: z.array(z.object({ id: z.string(), name: z.string() })) })
const note = z.object({
  id: z.string(),
  version: z.int(),
  deleted: z.boolean(),
  title: z.string(),
  text: z.string(),
  author: z.string(),
  created_at: z.iso.datetime(),
})
const page = z.object({ notes: z.array(note), more: z.boolean() })

/** @typedef {z.infer<typeof config>} Config */
/** @typedef {z.infer<typeof cursor>} Cursor */
/** @typedef {z.infer<typeof note>} Note */
/** @typedef {import('recalld/connector').CheckContext<Config>} CheckContext */

/** @type {import('recalld/connector').Connector<Config, Cursor>} */
const connector = {
  manifest: {
    id: 'example',
    title: 'Example',
    sourceTypes: ['text'],
    auth: 'token',
    config,
    cursor,
    schedule: '*/15 * * * *',
    deletions: 'feed',
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'example',
    version: 1,
    quietPeriodMs: 0,
    selection: () => null,
    listing: {
      summary: 'Notes of your notebooks.',
      icon: 'notebook',
      group: 'Other',
      partNoun: { one: 'notebook', many: 'notebooks' },
      tokenSteps: ['Create a token that can only read, in the settings of your account.'],
    },
    documentation: {
      item: 'a note',
      removed: 'deleted notes at the next sync',
      needs: 'a token that can read',
      api: 'Example API: notebooks, notes',
      cursor: 'the number of the last change',
      limits: '-',
      verified: 'local fake server',
    },
  },

  async check(context) {
    const { id, email } = await get(context, '/me', { answer: account, asked: 'your account' })
    return { account: id, title: email }
  },

  async *partitions(context) {
    const found = await get(context, '/notebooks', { answer: notebooks, asked: 'your notebooks' })
    for (const { id, name } of found.notebooks) yield { id, title: name }
  },

  async *changes(notebook, cursor, context) {
    for (let version = cursor?.version ?? 0; ; ) {
      const path = `/notebooks/${notebook.id}/notes?after=${version}`
      const { notes, more } = await get(context, path, { answer: page, asked: `the notes of ${notebook.title}` })
      for (const found of notes) {
        if (!found.deleted) yield { type: 'item', item: itemOf(found) }
        // A first scan knows no item that could be gone.
        else if (cursor !== undefined) yield { type: 'gone', ref: refOf(found) }
      }
      version = notes.at(-1)?.version ?? version
      yield { type: 'checkpoint', cursor: { version } }
      if (!more) return
    }
  },

  async read({ locator }, context) {
    const answer = note.nullable()
    const found = await get(context, `/notes/${locator}`, { answer, asked: 'a note', absent: [404] })
    return found === undefined || found === null || found.deleted ? undefined : itemOf(found)
  },
}

export const connectors = [connector]

/** @param {Note} found */
function refOf({ id }) {
  return /** @type {const} */ ({ sourceType: 'text', itemId: sourceItemId('example', id), locator: id })
}

/** @param {Note} found */
function itemOf(found) {
  return {
    ...refOf(found),
    revision: String(found.version),
    title: found.title,
    author: found.author,
    createdAt: new Date(found.created_at),
    body: found.text,
  }
}

/**
 * @template T
 * @param {CheckContext} context
 * @param {string} path
 * @param {Omit<import('recalld/connector').JsonRequest<T>, 'url'>} request
 * @returns {Promise<T>}
 */
async function get(context, path, request) {
  const api = {
    title: 'Example',
    api: 'notes',
    access: { token: async () => configuredToken(context.config), replace: async () => undefined },
    headers: (/** @type {string} */ token) => ({ authorization: `Bearer ${token}` }),
    failure: expired,
  }
  const url = new URL(path, context.config.api_url)
  const found = await requestJson(api, { ...request, url }, context)
  return /** @type {T} */ (found?.answer)
}

/**
 * The server keeps its changes for a while: then everything is read again and compared.
 * @param {import('recalld/connector').JsonResponse} response
 */
function expired({ status }) {
  return status === 410 ? new SourceError('restart', 'Example no longer has these changes.') : undefined
}
