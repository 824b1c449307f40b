/**
 * What the zod transform leaves to do: it writes each schema twice, for input and output, which are the same here,
 * forbids further properties in answers, which would forbid new fields to later versions, and drops the defaults of
 * numbers, which src/http/rest/schemas.ts therefore hands over as `x-default`.
 */
export function tidyOpenapi(document: unknown): Record<string, unknown> {
  const tidied = tidy(document)
  if (!isObject(tidied)) throw new Error('The OpenAPI document is not an object')
  const { components } = tidied
  if (isObject(components) && isObject(components.schemas)) {
    const schemas = Object.entries(components.schemas).filter(([name]) => !name.endsWith(INPUT))
    components.schemas = Object.fromEntries(schemas)
  }
  return tidied
}

const INPUT = 'Input'

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isObject(value)) return value
  const result: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(value)) {
    if (key === 'additionalProperties' && child === false) continue
    if (key === '$ref' && typeof child === 'string') {
      result[key] = child.endsWith(INPUT) ? child.slice(0, -INPUT.length) : child
    } else {
      result[key === 'x-default' ? 'default' : key] = tidy(child)
    }
  }
  return result
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
