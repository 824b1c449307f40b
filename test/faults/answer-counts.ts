/** What was answered during a run, and what of it was wrong. */
export class AnswerCounts {
  readonly byStatus = new Map<string, number>()
  readonly violations: string[] = []

  count(what: string, status: number | 'no answer'): void {
    const name = `${what} ${status}`
    this.byStatus.set(name, (this.byStatus.get(name) ?? 0) + 1)
  }

  violation(sentence: string): void {
    this.violations.push(`${new Date().toISOString()} ${sentence}`)
  }
}
