/** A time as Graph gives it; `undefined` for what is none, so that one odd record stops nothing. */
export function graphTime(told: string | null | undefined): Date | undefined {
  const at = new Date(told ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at
}
