/** What a chat program writes in place of a picture, and we in place of output: `[shares a photo of a lake]`. */
const SHARES = /^\[(?:shares|shared|sends|sent) ([^\][]{3,300}?)\.?\]\.?$/i

/** `a photo of a lake`; `undefined` for any other sentence. */
export function sharedThing(sentence: string): string | undefined {
  return SHARES.exec(sentence)?.[1]?.replace(/^there (?:is|are) /i, '')
}

/** Whether it is such a marker or the beginning of one that was cut. */
export function beginsMarker(sentence: string): boolean {
  return /^\[(?:shares|shared|sends|sent) /i.test(sentence)
}
