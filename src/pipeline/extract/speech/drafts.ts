import { isAssistant } from '../names/participant-kinds.ts'

/** `Here is a draft:` above a text in somebody else's name; not `Please note the following:` and `The error message:`. */
const ABOVE_DRAFT =
  /(?:^|[\n.!] *)[^\n.!]{0,80}\b(?:drafts?|versions?|letter|e-?mail|(?<!(?:commit|error|log|status|warning) )message|(?<=\b(?:a|the|your|this|quick|short|brief) )note|text|template|reply|speech|invitation|entwurf|fassung|nachricht|brouillon|borrador|mensaje)\b[^\n.!]{0,60}:[*_ ]*\n+/i

interface DraftedText {
  readonly said: string
  readonly draft: string
}

/** Separates an assistant's own words from a text that it drafted for somebody, whose "I" is not the assistant. */
export function splitDraft(speaker: string | undefined, text: string): DraftedText {
  const match = speaker !== undefined && isAssistant(speaker) ? ABOVE_DRAFT.exec(text) : null
  if (!match) return { said: text, draft: '' }
  return { said: text.slice(0, match.index), draft: text.slice(match.index + match[0].length) }
}
