/** A time or a period, as precise as its source states it. */
export interface MomentRange {
  readonly start: Date
  readonly end?: Date
  /** `day` when the source states no time of day. */
  readonly precision: 'minute' | 'day' | 'month' | 'year'
}
