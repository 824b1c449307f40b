import type { SourceType } from '../../domain/source-type.ts'
import type { Passage } from './passage.ts'
import { withoutOpener } from './person-shift.ts'
import { joinSentences } from './quoting.ts'
import { isAcknowledgement } from './salience.ts'
import { clip, sentencesOf } from './sentences.ts'
import type { Telling } from './telling.ts'

const AGENTS: Partial<Record<SourceType, string>> = {
  claude_code: 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  vscode: 'Copilot in VS Code',
}
const MOST_ASKED = 400
const MOST_ANSWERED = 700
const MOST_FILES = 6

/** Requests begin with the bare verb, which fits behind "to" as it stands. */
const REQUEST =
  /^(?:please |pls |can you |could you |would you |will you |now |then |also |ok,? |okay,? |next,? )*(add|adjust|analy[sz]e|answer|apply|build|bump|change|check|clean|clone|commit|compare|compute|configure|continue|convert|copy|create|debug|delete|deploy|describe|design|document|draft|enable|disable|evaluate|execute|explain|explore|extend|extract|find|finish|fix|format|generate|give|go|help|implement|improve|include|inspect|install|investigate|iterate|list|look|make|merge|migrate|modify|move|open|optimi[sz]e|organi[sz]e|parse|plan|prepare|print|propose|push|put|read|rebase|refactor|reformat|remove|rename|replace|report|research|resolve|restore|review|revert|rewrite|run|save|search|send|set|show|simplify|split|start|stop|suggest|summari[sz]e|switch|sync|tell|test|think|track|translate|try|turn|undo|update|upgrade|use|validate|verify|walk|write) /i

/** `I asked Claude Code to ...; it answered: "..."`, with the files it worked on. */
export function tellExchange(passage: Passage, telling: Telling): string {
  const blocks = passage.blocks ?? []
  const prompt = textOf(passage, (i) => blocks[i]?.role === 'user')
  const answer = textOf(passage, (i) => blocks[i]?.role !== 'user')
  const agent = agentName(telling, passage, (i) => blocks[i]?.role !== 'user')
  const said = quoted(answer, MOST_ANSWERED)
  const files = passage.files?.length ? ` It worked on ${passage.files.slice(0, MOST_FILES).join(', ')}.` : ''
  if (prompt === '') return `${agent} ${passage.first === 0 ? 'said' : 'also said'}: "${said}"${files}`
  const asked = askedFor(prompt, agent, telling.english)
  return said === '' ? `${ended(asked)}${files}` : `${asked}; it answered: "${said}"${files}`
}

function ended(sentence: string): string {
  return /[.!?…]"$/.test(sentence) ? sentence : `${sentence}.`
}

function textOf(passage: Passage, belongs: (index: number) => boolean): string {
  return passage.told
    .filter((_, i) => belongs(i))
    .map((chunk) => chunk.text)
    .join('\n\n')
}

function agentName({ file }: Telling, passage: Passage, byAgent: (index: number) => boolean): string {
  const speaker = passage.told.find((_, i) => byAgent(i))?.speaker
  const isGeneric = !speaker || /^(?:assistant|agent|ai|bot|model)$/i.test(speaker)
  return AGENTS[file.sourceType] ?? (isGeneric ? 'the assistant' : speaker)
}

function askedFor(prompt: string, agent: string, english: boolean): string {
  const [first = '', ...more] = sentencesOf(prompt)
    .filter((sentence) => !isAcknowledgement(sentence))
    .map((sentence, i) => (i === 0 ? withoutOpener(sentence) : sentence))
  const request = english ? REQUEST.exec(first) : null
  const verb = request?.[1]
  if (request && verb && !/\byour?\b/i.test(first.slice(request[0].length))) {
    const task = `${verb.toLowerCase()} ${first.slice(request[0].length)}`.replace(/[.!?]+$/, '')
    const rest = more.length > 0 ? ` ("${clip(joinSentences(more), MOST_ASKED / 2).replaceAll('"', "'")}")` : ''
    return `I asked ${agent} to ${clip(task, MOST_ASKED)}${rest}`
  }
  const text = quoted(prompt, MOST_ASKED)
  if (text === '') return `I gave ${agent} code`
  return `I ${/[?？]\s*$/.test(first) ? 'asked' : 'told'} ${agent}: "${text}"`
}

function quoted(text: string, most: number): string {
  return clip(joinSentences(sentencesOf(text)), most).replaceAll('"', "'")
}
