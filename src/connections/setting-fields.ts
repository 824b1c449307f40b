import { parse, stringify } from 'yaml'
import { type SchemaField, schemaFields } from '../config/field-schema.ts'
import type { Manifest } from '../connector/connector.ts'
import { AppError } from '../domain/errors.ts'
import type { Field } from '../http/app/schemas/sources.ts'

type Entry = Readonly<Record<string, unknown>>

/** The token of the connection, which has a field of its own. */
const SECRET = 'token'
/** The name of a connection cannot change, because its items belong to it. */
const NAME = 'name'

/** The settings of a connector for a form. @param entry as in config.yaml; absent for a new connection */
export function settingFields({ config }: Manifest, entry: Entry = {}): Field[] {
  return schemaFields(config)
    .filter(({ name }) => name !== NAME)
    .map((field) => {
      const { name, kind, describe: about, required, expects, options } = field
      // Write-only.
      const secret = name === SECRET || name.endsWith('_token')
      return {
        ...{ name, kind, about, required, expects, secret },
        ...(options !== undefined && { options: [...options] }),
        value: secret ? null : shown(field, entry[name]),
        default: shown(field, field.default),
        is_set: (entry[name] ?? null) !== null || (secret && (entry[`${name}_file`] ?? null) !== null),
      }
    })
}

function shown({ kind }: SchemaField, value: unknown): unknown {
  if (value === undefined || value === null) return null
  return kind === 'yaml' ? stringify(value).trimEnd() : value
}

/**
 * Converts the settings of a form for config.yaml; `null` removes one.
 * @throws AppError `invalid`, naming the field
 */
export function givenSettings({ config }: Manifest, given: Entry): Record<string, unknown> {
  const fields = new Map(schemaFields(config).map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (name === NAME) throw new AppError('invalid', "A connection's name can't be changed.", { field: NAME })
      if (value === null || value === '') return [name, null]
      if (name === SECRET) {
        throw new AppError('invalid', 'Enter the token in its own field, not in the settings.', {
          field: SECRET,
        })
      }
      return [name, fields.get(name)?.kind === 'yaml' && typeof value === 'string' ? parseYaml(name, value) : value]
    }),
  )
}

function parseYaml(name: string, text: string): unknown {
  try {
    return parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : ''
    throw new AppError('invalid', `${name} must be YAML: ${reason}`, { field: name, cause })
  }
}
