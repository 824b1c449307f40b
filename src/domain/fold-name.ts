/** 佐藤さん, 佐藤様 */
const HONORIFIC = /(?<=[\p{Script=Han}\p{Script=Katakana}])(?:さん|さま|様|氏|先生|くん|君|ちゃん)$/u
export const TITLED = /^(?:mr|mrs|ms|dr|prof|herr|frau|mme|sr|sra|ing)\.? (?=\S+ \S)/i

/** Without case, accents, titles, honorifics and double spaces. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(TITLED, '')
    .replace(HONORIFIC, '')
    .replace(/\s+/g, ' ')
    .trim()
}
