/** The instant that a `Retry-After` names, which is a number of seconds or a date (RFC 9110, 10.2.3); `undefined` for none. */
export function retryTime(header: string | null | undefined, now: Date): Date | undefined {
  if (header === null || header === undefined) return undefined
  const at = /^\d+(\.\d+)?$/.test(header) ? now.getTime() + Number(header) * 1000 : Date.parse(header)
  // Beyond what a date can say is as good as nothing.
  return Math.abs(at) <= 8.64e15 ? new Date(at) : undefined
}
