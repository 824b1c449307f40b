const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g
const CARRIED = /\uE000([A-Za-z0-9_]+)\uE001/g

/**
 * YAML whose references travel through the parser in private-use characters: `{` would open a mapping inside
 * `[{token: ${TOKEN}}]`, and what a variable holds is never to be read as YAML.
 */
export function carryReferences(yaml: string): string {
  return yaml.replace(REFERENCE, '\uE000$1\uE001')
}

/** Puts something in the place of each reference that was carried, by the name of its variable. */
export function replaceCarried(text: string, replacement: (name: string) => string): string {
  return text.replace(CARRIED, (_, name: string) => replacement(name))
}
