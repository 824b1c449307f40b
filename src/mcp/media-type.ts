/** A content type without its parameters, and whether its bytes are meant to be read as text. */
export function mediaType(contentType: string): { readonly mimeType: string; readonly isText: boolean } {
  const mimeType = contentType.split(';', 1)[0]?.trim().toLowerCase() || 'application/octet-stream'
  return { mimeType, isText: /^text\/|^message\/|json$|xml$|yaml$/.test(mimeType) }
}
