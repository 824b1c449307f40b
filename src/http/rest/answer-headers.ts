import { FENCE_HEADER } from '../../domain/recalled-fence.ts'

/**
 * `Content-Disposition` of a download (RFC 6266): the name in ASCII for old clients, and in full as UTF-8 (RFC 8187).
 */
export function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`
}

/** For clients that show the response to an agent: the service recognizes this fence in later uploads. */
export function nameFence(reply: { header(name: string, value: string): unknown }, fenceId: string | undefined): void {
  if (fenceId !== undefined) reply.header(FENCE_HEADER, fenceId)
}
