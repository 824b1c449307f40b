import type { Choices } from '../../../http/app/schemas/sources.ts'

type Choice = Pick<Choices['choices'][number], 'value' | 'group' | 'group_value'>

/**
 * The shortest setting for what is chosen: a group that is chosen as a whole includes what is added to it later.
 *
 * @param before the setting so far; what it names outside the list stays, such as somebody else's public repository
 * @returns `null` for the default, everything
 */
export function chosenRules(
  choices: readonly Choice[],
  chosen: ReadonlySet<string>,
  before: unknown,
): readonly string[] | null {
  const listed = choices.flatMap(({ value, group_value }) => [value.toLowerCase(), group_value.toLowerCase()])
  const others = (Array.isArray(before) ? before.map(String) : []).filter((rule) => {
    const pattern = wildcards(rule.toLowerCase())
    return !listed.some((value) => pattern.test(value))
  })
  if (others.length === 0 && choices.every(({ value }) => chosen.has(value))) return null
  const groups = Map.groupBy(choices, ({ group_value }) => group_value)
  const rules = [...groups].flatMap(([groupValue, ofGroup]) => {
    const taken = ofGroup.filter(({ value }) => chosen.has(value))
    return taken.length === ofGroup.length ? [groupValue] : taken.map(({ value }) => value)
  })
  return [...rules, ...others]
}

/** `acme/*` matches `acme/web`. */
function wildcards(rule: string): RegExp {
  const parts = rule.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${parts.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}$`)
}
