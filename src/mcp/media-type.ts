const MEDIA_TYPE = /^(?:application|audio|font|image|message|model|text|video)\/[a-z0-9][a-z0-9.+-]{0,70}$/

/** A content type without its parameters, and whether its bytes are meant to be read as text. */
export function mediaType(contentType: string): { readonly mimeType: string; readonly isText: boolean } {
  const given = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const mimeType = MEDIA_TYPE.test(given) ? given : 'application/octet-stream'
  return { mimeType, isText: /^text\/|^message\/|json$|xml$|yaml$/.test(mimeType) }
}
