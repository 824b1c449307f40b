import type { Translation } from '../translation.ts'
export const german = {} as unknown as Translation
