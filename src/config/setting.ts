import { z } from 'zod'

/** One setting: what it accepts, its default and its description. */
export interface Setting<T> {
  readonly schema: z.ZodType<T>
  /** `undefined`: decided at the start of the service, see `defaultText`. */
  readonly default: T
  readonly defaultText?: string
  /** Completes "must be ..." in messages and documents. */
  readonly expects: string
  readonly describe: string
  /** Contains a password: no message repeats it. */
  readonly isSecret?: boolean
  /** Parses the text of a variable or flag; text it cannot parse is returned for the schema to reject. */
  fromText(text: string): unknown
}

interface Meaning<T> {
  readonly default: T
  readonly defaultText?: string
  readonly describe: string
  readonly isSecret?: boolean
}

export function text<T extends string | undefined>(
  meaning: Meaning<T> & { readonly expects: string; readonly pattern?: RegExp },
): Setting<string | (T extends undefined ? undefined : never)> {
  const schema = z.string().regex(meaning.pattern ?? /\S/)
  return {
    ...meaning,
    schema: (meaning.default === undefined ? schema.optional() : schema) as z.ZodType<
      string | (T extends undefined ? undefined : never)
    >,
    default: meaning.default as string | (T extends undefined ? undefined : never),
    fromText: (value) => value,
  }
}

export function integer(meaning: Meaning<number> & { readonly min: number; readonly max: number }): Setting<number> {
  const { min, max } = meaning
  return {
    ...meaning,
    schema: z.int().min(min).max(max),
    expects: `a whole number from ${min} to ${max}`,
    fromText: (value) => (/^\d+$/.test(value) ? Number(value) : value),
  }
}

export function choice<const T extends string>(
  meaning: { readonly default: NoInfer<T>; readonly describe: string } & { readonly choices: readonly T[] },
): Setting<T> {
  return {
    ...meaning,
    schema: z.enum(meaning.choices),
    expects: `one of ${meaning.choices.join(', ')}`,
    fromText: (value) => value,
  }
}

/** In variables and flags, the elements are separated by commas. */
export function list(
  meaning: Meaning<readonly string[]> & { readonly expects: string; readonly isElement?: (text: string) => boolean },
): Setting<readonly string[]> {
  const { isElement = (text) => /\S/.test(text), ...rest } = meaning
  return { ...rest, schema: z.array(z.string().refine(isElement)), fromText: elements }
}

/** A list of some of the choices, at least one. */
export function someOf<const T extends string>(
  meaning: { readonly default: readonly NoInfer<T>[]; readonly describe: string } & { readonly choices: readonly T[] },
): Setting<readonly T[]> {
  return {
    ...meaning,
    schema: z.array(z.enum(meaning.choices)).min(1),
    expects: `a list of some of ${meaning.choices.join(', ')}`,
    fromText: elements,
  }
}

function elements(text: string): string[] {
  return text
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '')
}

/** `rateLimitPerMinute` is `rate_limit_per_minute` in config.yaml. */
export function fileKey(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `rateLimitPerMinute` is `RECALLD_RATE_LIMIT_PER_MINUTE` in the environment. */
export function variableName(name: string): string {
  return `RECALLD_${fileKey(name).toUpperCase()}`
}

/** `rateLimitPerMinute` is `--rate-limit-per-minute` on the command line. */
export function flagName(name: string): string {
  return `--${fileKey(name).replaceAll('_', '-')}`
}
