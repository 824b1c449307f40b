import type { Generated } from 'kysely'
import type { ErrorCode } from '../../domain/errors.ts'
import type { SourceType } from '../../domain/source-type.ts'
import type { PauseReason, Spending } from '../refinements.ts'

/** As the migration `refinements` makes them. */
export interface RefinementTables {
  refinement: {
    refinement_id: Generated<number>
    account_key: number
    item_key: number
    source_type: SourceType
    state: 'waiting' | 'given_up'
    attempts: Generated<number>
    failures: Generated<number>
    ready_at: number
    queued_at: number
    lease_token: string | null
    error_code: ErrorCode | null
    error: string | null
  }
  refinement_part: { item_key: number; hash: string; answer: string }
  refinement_spend: {
    account_key: number
    day: string
    source_type: Spending['sourceType']
    model: string
    calls: number
    input_tokens: number
    output_tokens: number
    micro_dollars: number
  }
  refinement_pause: {
    /** 0: all. */
    account_key: number
    /** Empty: all. */
    source_type: SourceType | ''
    reason: PauseReason
    until_at: number | null
    message: string
  }
}
