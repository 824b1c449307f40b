import type { Translation } from '../translation.ts'
export const japanese = {} as unknown as Translation
