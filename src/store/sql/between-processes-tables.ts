/** As the migration `between-processes` makes them. */
export interface BetweenProcessesTables {
  failed_sign_in: {
    hash: Uint8Array
    kind: string
    failures: number
    not_before: number
    last_at: number
  }
  consent: {
    consent_id: string
    memory_id: string
    person_id: string
    state_hash: Uint8Array | null
    facts: Uint8Array
    secrets: Uint8Array | null
    outcome: string | null
    created_at: number
    expires_at: number
  }
  request_count: { hash: Uint8Array; count: number; ends_at: number }
}
