import { analyze, hashTerm } from '../../../lib/analyze.ts'

/** `keepAliveTimeout`, `max_connections`, `--dry-run`, and what a question has in backticks. */
const IDENTIFIER =
  /(?<![\p{L}\d_-])(?:--\p{L}[\p{L}\d-]+|(?!i\p{Lu}\p{Ll}+(?!\p{Lu}))\p{Ll}+(?:\p{Lu}[\p{Ll}\d]+)+|\p{L}+(?:_[\p{L}\d]+)+)(?![\p{L}\d_])|`[^`\s]{2,60}`/gu

/** The settings, functions and options that a question names, as hashes of their spellings. */
export function askedSettings(question: string): readonly number[] {
  return (question.match(IDENTIFIER) ?? []).flatMap((name) => {
    const words = name
      .replaceAll(/[`-]/g, ' ')
      .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .trim()
      .split(/[\s_]+/)
    const lower = words.map((word) => word.toLowerCase())
    // The first term of an identifier is its whole form; words joined by hyphens have none.
    return [lower.join('_'), lower.join('')].flatMap((spelling) => analyze(spelling).slice(0, 1)).map(hashTerm)
  })
}

/** Whether neither the sentence nor its headings have any of the settings: `Default: 100` of another one. */
export function isOfOtherSetting(
  settings: readonly number[],
  sentence: string,
  headings: ReadonlySet<number>,
): boolean {
  if (settings.length === 0) return false
  const held = new Set(analyze(sentence).map(hashTerm))
  return !settings.some((setting) => held.has(setting) || headings.has(setting))
}
