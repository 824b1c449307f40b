/** What `recalld doctor` found out about one thing. */
export interface Finding {
  readonly check: string
  /** `skipped`: could not be told, and nothing is wrong with that. */
  readonly result: 'ok' | 'problem' | 'skipped'
  readonly message: string
  /** In numbers, for those who read JSON. */
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
