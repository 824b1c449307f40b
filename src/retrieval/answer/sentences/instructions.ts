/** Verbs with which documentation tells what to do. */
const VERBS = `add|allow|append|apply|ask|back up|build|call|change|check|choose|clear|click|close|compare|configure|connect|copy|create|define|delete|deploy|disable|download|drag|edit|enable|ensure|enter|execute|export|extract|fetch|find|follow|generate|give|go|import|include|increase|insert|install|invoke|join|keep|leave|let|list|log|lower|make|mark|migrate|mount|move|name|navigate|open|paste|pass|pick|place|point|press|provide|pull|push|put|raise|read|recreate|reduce|register|reload|remove|rename|repeat|replace|request|reset|restart|restore|revoke|right-click|run|save|scan|see|select|send|set|share|sign|specify|start|stop|store|switch|sync|tap|tell|test|tick|toggle|try|turn|type|uncheck|uncomment|uninstall|unset|unzip|update|upgrade|upload|use|verify|view|visit|wait|write`
/** At the start of a sentence or a clause: `Open Settings`, `To revoke one, delete it`. */
const IMPERATIVE = new RegExp(
  `(?:^\\W*|[:;,–—] |\\b(?:then|and|or|please|also|instead|simply|just|first|next|finally|not|to) )(?:${VERBS})\\b`,
  'i',
)
const ADVISES =
  /\b(?:you|one|users?|admins?|administrators?|owners?)(?: (?:can|could|must|should|may|(?:need|have) to))\b|\b(?:can|must|should|has to|have to|needs? to) be \p{L}+(?:ed|en|t|n)\b|\bby \p{L}+ing\b/iu
const CODE = /`[^`]+`|^\S+ (?:\S+ )*--?\p{L}|→/u

/** `In this case, set the option`: the next sentence says what to do about the one before. */
const CONTINUES =
  /^(?:in (?:this|that|such an?|these) cases?|to (?:\p{L}+ ){1,3}(?:this|that|these|it|so)\b|instead\b|for this\b|if so\b)/iu

/** Whether a sentence refers to the one before and says what to do. */
export function continuesWithInstruction(sentence: string | undefined): boolean {
  return sentence !== undefined && CONTINUES.test(sentence) && instructs(sentence)
}

/** Whether a sentence says what to do, with a verb, a command or a setting. */
export function instructs(sentence: string): boolean {
  return IMPERATIVE.test(sentence) || ADVISES.test(sentence) || CODE.test(sentence)
}
