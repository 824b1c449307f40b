/**
 * The instant of a `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3); `undefined` if it is
 * invalid.
 */
export function retryTime(header: string | null | undefined, now: Date): Date | undefined {
  if (header === null || header === undefined) return undefined
  const at = /^\d+(\.\d+)?$/.test(header) ? now.getTime() + Number(header) * 1000 : Date.parse(header)
  // Times beyond the range of a date are ignored.
  return Math.abs(at) <= 8.64e15 ? new Date(at) : undefined
}
