import { AppError } from '../domain/errors.ts'

/** The settings with a time zone: that of the machine, found when it is read, because the first of a process takes 15 ms. */
export function withTimeZone<Given extends { readonly timeZone: string | undefined }>(
  settings: Given,
  expects: string,
) {
  const configured = settings.timeZone === undefined ? undefined : timeZone(settings.timeZone, expects)
  return {
    ...settings,
    get timeZone() {
      return configured ?? timeZone(undefined, expects)
    },
  }
}

function timeZone(configured: string | undefined, expects: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: configured }).resolvedOptions().timeZone
  } catch (cause) {
    throw new AppError('invalid', `time_zone must be ${expects}, but is "${configured}"`, { cause })
  }
}
