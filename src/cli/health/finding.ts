/** One result of `recalld doctor`. */
export interface Finding {
  readonly check: string
  /** `skipped`: could not be checked, which is not a problem. */
  readonly result: 'ok' | 'problem' | 'skipped'
  readonly message: string
  /** Numbers for JSON output. */
  readonly measured?: object
}

export function ok(check: string, message: string, measured?: object): Finding {
  return { check, result: 'ok', message, ...(measured && { measured }) }
}

export function problem(check: string, message: string): Finding {
  return { check, result: 'problem', message }
}

export function skipped(check: string, message: string): Finding {
  return { check, result: 'skipped', message }
}
