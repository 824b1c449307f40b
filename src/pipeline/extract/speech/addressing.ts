import { isApposition, type People } from '../people.ts'

const VOCATIVE =
  /^((?:(?:[Yy]es|[Yy]eah|[Yy]ep|[Nn]o|[Nn]ope|[Oo]k|[Oo]kay|[Ww]ell|[Ss]o|[Oo]h|[Ww]ow|[Hh]ey|[Aa]ww+),? )?)(\p{Lu}[\p{L}'’-]+), (?=(?:[Ii]|we|they|he|she|it|that|this|there|you|the|my|your|our)(?=[ '’]))|, (\p{Lu}[\p{L}'’-]+)(?=[.!?]*$)/u

/** `You were right, Nora.` and `Yes, Nora, they are here.` without the name. */
export function withoutVocative(sentence: string, people: People): string {
  return sentence.replace(VOCATIVE, (all, before?: string, first?: string, last?: string) => {
    if (first !== undefined && isApposition(sentence.slice(all.length))) return all
    return people.called(first ?? last ?? '') ? (before ?? '') : all
  })
}

/** "Ann and I moved. We like it", "we'll send you the keys": this "we" excludes the listener. */
export function excludesListener(text: string): boolean {
  return OWN_COMPANY.test(text) || APART_FROM_YOU.test(text)
}
/** What "we" do to or for "you", or with what is yours. */
const APART_FROM_YOU =
  /\b[Ww]e(?:['’]\w+)? (?:(?:can|could|will|would|might|want to|need to|have to|are going to|just|really|all) )*(?:send|sent|give|gave|bring|brought|tell|told|call|called|invite|invited|owe|miss|missed|visit|visited|expect|thank|pay|paid|pick|drop|lend|lent|show|showed|get|got|bought|buy|let|help|helped|wish|love) (?:to )?you\b|\b(?:[Cc]an|[Cc]ould|[Mm]ay|[Ss]hould) we (?:store|borrow|stay|leave|use|park|sleep|crash|keep|take|rent|have)\b[^?]{0,40}\byour?\b/u

/** `As we agreed on the phone`, `We both sign`: "we" of a firm that includes the reader, so that "they" would be wrong. */
export function includesReader(sentence: string): boolean {
  return WITH_READER.test(sentence)
}
const WITH_READER =
  /\b(?:together|both|between us|each other|meet|met|meeting|agreed|discussed|spoke|spoken|talked|decided (?:[^.!?]* )?(?:with you|on the phone))\b|\bwith you\b|\bon the phone\b/i

/** "You two", "both of you": the person who is spoken to is not alone. */
export function addressesSeveral(text: string): boolean {
  return SEVERAL.test(text)
}
const SEVERAL = /\b(?:you (?:two|both|guys|all|lot)|both of you|the (?:two|three|four) of you)\b/i

/** The owner's own "we", which is the one of both in a chat of two; "our team" may be the owner's without the other. */
export function speaksOfUs(text: string): boolean {
  return OF_US.test(text)
}
const OF_US = /\b(?:we|us|let['’]s|together|both of us)\b/i
/** What two people plan with each other: `we could meet`, `shall we`. */
export function proposesTogether(text: string): boolean {
  return TOGETHER.test(text)
}
const TOGETHER =
  /\b(?:let['’]s|shall we|(?:should|could|can|do) we (?:meet|talk|speak|chat|go|do|start|eat|cook|watch|play|move|make|try|call|plan|book|split|share|swap|say|just|still|need)|we (?:should|could|can|need to|have to|must|said|agreed|might) (?!have )|together|each other|you and (?:me|I)|both of us|our (?:next|last) (?:call|meeting|trip|lunch))/i
const OWN_COMPANY =
  /\b(?:\p{Lu}\p{L}+|[Mm]y \p{L}+) and I\b|\b[Mm]y (?:wife|husband|partner|boyfriend|girlfriend|fianc[eé]e?|friends?|family|parents?|mother|mom|mum|father|dad|brothers?|sisters?|sons?|daughters?|kids?|children|roommates?|flatmates?|neighbou?rs?|colleagues?|boss)\b/u
