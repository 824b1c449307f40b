/** Program text outside of backticks: a statement, a call, a comment, a declaration. */
const CODE =
  /[)\w] => \w{1,80}(?:\.\w|[({[])|\) => |===|!==|&&|\|\||[\w$\]]\([^()\n]{0,200}\);|\)\);|\);\s*$|[;{]\s*(?:\}|$)|^\s*(?:\/\/|\/\*|\*\/|#include|@\w+\()|\b(?:const|let|var) [\w{[][^=]{0,60}=|\b(?:import|export) .{0,80}\bfrom ['"]|\brequire\(['"]|\bfunction\b *\w*\([^()\n]{0,200}\) *\{|\bfunction\(/
const IN_BACKTICKS = /`[^`\n]{1,200}`/g
const FENCE = /^[ \t]*(?:```|~~~)[ \t]*([\w+-]*)/
const SHELLS = /^(?:sh|bash|zsh|fish|shell|shellsession|console|terminal|powershell|pwsh|ps1?|cmd|bat|cli)$/
/** A line of a block without a language that is a command: behind a prompt, with an option, or of a well-known program. */
const RUNS =
  /^\s*(?:[$>] |(?:npm|npx|yarn|pnpm|bun|node|deno|git|docker|podman|kubectl|helm|pip3?|python3?|cargo|go|make|brew|apt(?:-get)?|dnf|sudo|curl|wget|cd|cp|mv|export|systemctl|ssh|psql|ollama|terraform|uv|dotnet|gem|mkdir) |[a-z][\w./-]* (?:-[a-z]|(?:\S+ )*--[a-z]))/i
/** The end of a sentence that introduces a block. */
const INTRODUCES = /:[*_\s]*$/
/** Longest line of a block that is a command with its comment. */
const LONGEST_COMMAND = 200
const COMMAND = /^\s*(?:\$ |> |# (?=\w+ -))?[\p{L}./~][\p{L}\p{N}._/~@-]*(?:\s+\S+)+/u
const ASKS_COMMAND =
  /\b(?:which|what)(?: \p{L}+){0,2} commands?\b|\bcommands? (?:to|for|that|did)\b|^\W*how (?:do|can|to|could|should|would)\b/iu
const ASKS_RUN = /\bcommands?\b/i

/** Whether a sentence of a document is program text, as of a block that was cut. */
export function isCode(sentence: string): boolean {
  return CODE.test(sentence.replaceAll(IN_BACKTICKS, '`'))
}

/** Whether a question may be answered by a command: `How do I restore a backup?` */
export function asksForCommand(question: string): boolean {
  return ASKS_COMMAND.test(question)
}

/** Whether a question is about what was run, which is in the input of an agent's tools. */
export function asksWhatWasRun(question: string): boolean {
  return ASKS_RUN.test(question)
}

/** Position of the first command of a passage, far behind its sentences. */
export const BEHIND_SENTENCES = 1_000

/** The commands of a passage as sentences behind its others. */
export function commandSentences(text: string): { readonly text: string; readonly position: number }[] {
  return commandLines(text).map((line, i) => ({ text: line, position: BEHIND_SENTENCES + i }))
}

/** `/var/log/app.log {` of a configuration, whose lines look like commands. */
const OPENS_BLOCK = /^[^$>'"(]*\{\s*$/

function isConfiguration(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== '')
  return first !== undefined && OPENS_BLOCK.test(first)
}

/** The commands in the fenced blocks of shell or of no language, with their comments, a line each. */
export function commandLines(text: string): string[] {
  return fencedBlocks(text).flatMap(({ language, lines, before }) => {
    const isShell = SHELLS.test(language)
    if (!isShell && (language !== '' || isConfiguration(lines))) return []
    // A block of one line, or below `Start it:`, is to be run; a longer one may be a configuration.
    const isToBeRun = isShell || INTRODUCES.test(before) || lines.filter((line) => line.trim() !== '').length === 1
    const commands = lines.filter((line) => (isToBeRun || RUNS.test(line)) && isCommandLine(line))
    return commands.map((line) =>
      line
        .trim()
        .replace(/^\$ /, '')
        .replace(/\s{2,}/g, '  '),
    )
  })
}

function isCommandLine(line: string): boolean {
  return line.length <= LONGEST_COMMAND && COMMAND.test(line) && !isCode(line)
}

interface FencedBlock {
  readonly language: string
  readonly lines: string[]
  /** The last line of text above it. */
  readonly before: string
}

/** The fenced blocks of a text, the last one even without its end. */
function fencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = []
  let [open, before]: [FencedBlock | undefined, string] = [undefined, '']
  for (const line of text.split('\n')) {
    const fence = FENCE.exec(line)
    if (fence !== null) {
      const next: FencedBlock | undefined =
        open === undefined ? { language: fence[1]!.toLowerCase(), lines: [], before } : undefined
      if (next !== undefined) blocks.push(next)
      ;[open, before] = [next, '']
    } else if (open !== undefined) open.lines.push(line)
    else if (line.trim() !== '') before = line
  }
  return blocks
}
