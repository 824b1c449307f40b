import type { IntentArguments, IntentName, IntentResult } from './intents.ts'

/** Runs what writes: by a thread of its own on SQLite, each in a transaction of its own on PostgreSQL. */
export interface IntentRunner {
  /** Resolves when the intent is durable; rejects when nothing of it happened, or `unavailable` when that is unknown. */
  call<Name extends IntentName>(name: Name, ...parameters: IntentArguments<Name>): Promise<IntentResult<Name>>
  /** As `call`, and may take these buffers over: the caller can no longer read them. */
  callWith<Name extends IntentName>(
    transfer: readonly ArrayBuffer[],
    name: Name,
    ...parameters: IntentArguments<Name>
  ): Promise<IntentResult<Name>>
}
