/** `Work log`, `Arbeitstagebuch`, `Diary 2026`: a title that says nothing about an entry. */
export function isDiaryTitle(title: string): boolean {
  return DIARY.test(title) && !NO_DIARY.test(title)
}
const DIARY =
  /(?<!\p{L})(?:diary|journal|log|logbook|daily notes?)(?!\p{L})|(?:tagebuch|logbuch)(?!\p{L})|(?<!\p{L})(?:journal intime|carnet|diario|bitácora|cuaderno)(?!\p{L})|日記|日记|日誌|日志/iu
const NO_DIARY = /(?<!\p{L})(?:change|audit|error|server|release|commit|journal of|log of)(?!\p{L})/iu
