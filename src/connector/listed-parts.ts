import { z } from 'zod'
import type { ConnectionConfig, Context, Partition } from './connector.ts'

const text = z.string().min(1).nullish().catch(undefined)

/** A project, space or team in a listing. Without its name or key it can still be read. */
export const listedPart = z.looseObject({
  id: z.union([z.string().min(1), z.number()]).transform(String),
  name: text,
  key: text,
})
export type ListedPart = z.infer<typeof listedPart>

interface PartRules extends ConnectionConfig {
  readonly include?: readonly string[] | undefined
  readonly exclude: readonly string[]
}

/**
 * Those that `include` and `exclude` choose by name or key; case does not matter. One whose name or key is missing, so
 * that the rules can't decide, is synced only if it was before: left out, it would look lost.
 * @param noun for the warning about others: `Jira project`
 */
export async function* chosenParts(
  parts: readonly ListedPart[],
  noun: string,
  context: Context<PartRules>,
): AsyncGenerator<Partition> {
  const { include, exclude } = context.config
  for (const { id, name, key } of parts) {
    const names = [name, key].flatMap((one) => one?.toLowerCase() ?? [])
    const fits = (rules: readonly string[]) => rules.some((rule) => names.includes(rule.toLowerCase()))
    if (fits(exclude)) continue
    const isIncluded = include === undefined || fits(include)
    const isCertain = names.length === 2 || (isIncluded && exclude.length === 0)
    const title = name ?? key ?? id
    if (isCertain ? isIncluded : (await context.knownPartitions()).some((known) => known.id === id)) yield { id, title }
    else if (!isCertain)
      context.warn(
        `The ${noun} ${title} is not synced: its name or key is missing, so include and exclude can't decide.`,
      )
  }
}
