import { analyze, hashTerm } from '../../../lib/analyze.ts'

/** `keepAliveTimeout`, `max_connections`, `--dry-run`, and what a question has in backticks. */
const IDENTIFIER =
  /(?<![\p{L}\d_-])(?:--\p{L}[\p{L}\d-]+|\p{Ll}+(?:\p{Lu}[\p{Ll}\d]+)+|\p{L}+(?:_[\p{L}\d]+)+)(?![\p{L}\d_])|`[^`\s]{2,60}`/gu

/** The settings, functions and options that a question names, each as the hash of its whole form. */
export function askedSettings(question: string): readonly number[] {
  return (question.match(IDENTIFIER) ?? []).flatMap((name) => {
    const [whole] = analyze(name.replaceAll('`', ''))
    return whole === undefined ? [] : [hashTerm(whole)]
  })
}

/** Whether neither the sentence nor its headings have one of the settings: `Default: 100` of another one. */
export function isOfOtherSetting(
  settings: readonly number[],
  sentence: string,
  headings: ReadonlySet<number>,
): boolean {
  if (settings.length === 0) return false
  const held = new Set(analyze(sentence).map(hashTerm))
  return !settings.every((setting) => held.has(setting) || headings.has(setting))
}
