/** The source type of an uploaded file, if nobody chose one. */
export function uploadSource({ name, type }: Pick<File, 'name' | 'type'>): string {
  if (type === 'application/pdf' || /\.pdf$/i.test(name)) return 'pdf'
  // Only contacts give people of the profile their nicknames.
  return /^text\/(?:x-)?vcard\b/i.test(type) || /\.vcf$/i.test(name) ? 'contacts' : 'text'
}
